import { Feed } from "../packages/mull/src/transport/feed.ts";
import { AnswerReader, type ReadOptions } from "../packages/mull/src/transport/reader.ts";
import type { SentResponse } from "../packages/mull/src/transport/answer.ts";
import { MullError } from "../packages/mull/src/types/error.ts";
import type { Reply, StreamEvent } from "../packages/mull/src/types/event.ts";
import type { StreamDecoder } from "../packages/mull/src/types/wire.ts";

/** Frames of the smallest wire there is: a start, texts, an end, and a failure. */
export const plain = {
  start: 'data: {"start":true}\n\n',
  text: (text: string): string => `data: ${JSON.stringify({ text })}\n\n`,
  end: 'data: {"end":true}\n\n',
  /** The answer is whole once the body ends, or nothing more comes. */
  last: 'data: {"last":true}\n\n',
  overloaded: 'data: {"overloaded":true}\n\n',
};

interface PlainFrame {
  readonly start?: true;
  readonly text?: string;
  readonly end?: true;
  readonly last?: true;
  readonly overloaded?: true;
}

/** Decodes that wire, as the decoder of a real one does. */
export function plainDecoder(): StreamDecoder {
  let text = "";
  let isWhole = false;
  let isFinished = false;
  const reply = (isCut: boolean): Reply => ({
    message: {
      role: "assistant",
      parts: [isCut ? { type: "text", text, cut: true } : { type: "text", text }],
    },
    finish: { reason: isCut ? "error" : "stop" },
    usage: {},
  });
  const read = (frame: PlainFrame, out: StreamEvent[]): void => {
    if (frame.start) out.push({ type: "start" });
    if (frame.text !== undefined) {
      text += frame.text;
      out.push({ type: "text", index: 0, delta: frame.text });
    }
    if (frame.overloaded) {
      throw new MullError("Overloaded", { category: "overloaded", retryable: true });
    }
    isWhole ||= frame.last === true;
    if (frame.end) finish(out);
  };
  const finish = (out: StreamEvent[]): void => {
    isFinished = true;
    out.push({ type: "finish", reply: reply(false) });
  };
  return {
    push: (data, event, out) => {
      let frame: unknown;
      try {
        frame = JSON.parse(data);
      } catch {
        throw new MullError(`event ${event ?? "message"} is not JSON`, {
          category: "protocol",
          code: "invalid_json",
        });
      }
      if (typeof frame === "object" && frame !== null) read(frame, out);
    },
    end: (out) => {
      if (isWhole) return finish(out);
      throw new MullError("stream ended before its end event", {
        category: "protocol",
        code: "truncated",
        partial: reply(true),
      });
    },
    finished: () => isFinished,
    partial: () => reply(true),
  };
}

/** The events of an answer on that wire, as every stream of the library reads them. */
export const readPlain = (
  response: SentResponse,
  options: ReadOptions = {},
  newDecoder: () => StreamDecoder = plainDecoder,
): Feed<StreamEvent> =>
  new Feed(new AnswerReader(() => Promise.resolve(response), newDecoder, options), {});
