import { describe, expect, it } from "vitest";
import { isMullError, type MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import {
  decodeBody,
  type Expected,
  fingerprint,
  finishOf,
  readRecordings,
  type Recording,
} from "../../../../../../test/recordings.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "./decode-stream.ts";
import { openaiResponses } from "../index.ts";
import { decode } from "./decode.ts";

const recordings = readRecordings("openai-responses");

const contextOf = (recording: Recording): DecodeContext => ({
  origin: { wire: "openai-responses", provider: recording.provider, model: "recorded" },
  now: () => 0,
  newId: () => "made-here",
});

function stream(recording: Recording, chunk: number, isFast = true): StreamEvent[] {
  const decoder = decodeStream({
    ...contextOf(recording),
    ...(isFast && { hotReader: createHotReader }),
  });
  const out: StreamEvent[] = [];
  decodeBody(recording.response.body_text, decoder, out, chunk);
  return out;
}

const join = (list: readonly { readonly text: string }[]): string =>
  list.map((part) => part.text).join("");

/** What the recordings say of an answer, read out of ours. */
function summaryOf(reply: Reply): JsonObject {
  const { parts } = reply.message;
  const texts = parts.filter((part) => part.type === "text");
  return {
    // Parts of a thought are joined by a blank line here and by nothing there.
    thinking: join(parts.filter((part) => part.type === "thinking")).replaceAll("\n\n", ""),
    text: join(texts.filter((part) => part.refusal !== true)),
    refusal: join(texts.filter((part) => part.refusal === true)),
    calls: parts.flatMap((part) =>
      part.type === "tool-call"
        ? [{ id: part.id, name: part.name, args: part.invalid?.raw ?? part.input }]
        : [],
    ),
    signatures: parts.flatMap((part) => {
      const sealed = part.seal?.data["encrypted_content"];
      return typeof sealed === "string" ? [fingerprint(sealed)] : [];
    }),
    finish: reply.finish.raw,
    usage: reply.usage.raw,
    thinkingTokens: reply.usage.thinking,
    model: reply.servedModel,
    id: reply.id,
  };
}

const expectedSummary = (expected: Expected): JsonObject => ({
  thinking: expected.thinking.replaceAll("\n\n", ""),
  text: expected.text,
  refusal: expected.refusal ?? "",
  calls: expected.tool_calls.map(({ id, name, args }) => ({ id, name, args })),
  signatures: expected.signature_sha256 ?? [],
  finish: expected.finish ?? undefined,
  usage: expected.usage ?? undefined,
  thinkingTokens: expected.reasoning_tokens,
  model: expected.model,
  id: expected.id,
});

const isAnswer = (recording: Recording): boolean =>
  recording.response.status === 200 && recording.expected.in_stream_error === undefined;

describe("recorded answers (D8)", () => {
  it.each(recordings.filter((each) => isAnswer(each) && !each.stream))("reads $id", (recording) => {
    const body: unknown = JSON.parse(recording.response.body_text);
    const reply = decode(body, contextOf(recording));
    expect(summaryOf(reply)).toEqual(expectedSummary(recording.expected));
  });

  it.each(recordings.filter((each) => isAnswer(each) && each.stream))(
    "reads the stream $id (R152, R153, R154, F-S1)",
    (recording) => {
      const events = stream(recording, 1 << 20);
      const reply = finishOf(events);
      expect(summaryOf(reply)).toEqual(expectedSummary(recording.expected));
      expect(stream(recording, 61)).toEqual(events);
      expect(stream(recording, 1 << 20, false)).toEqual(events);
      const parts = events.filter((event) => event.type === "part");
      expect(parts.map((event) => event.part)).toEqual(reply.message.parts);
      expect(toldTexts(events)).toEqual(parts.flatMap(({ part }) => textOf(part)));
    },
  );
});

const textOf = (part: AssistantPart): readonly string[] =>
  (part.type === "text" || part.type === "thinking") && part.text !== "" ? [part.text] : [];

/** The deltas of each text or thought, joined. */
function toldTexts(events: readonly StreamEvent[]): readonly string[] {
  const told = new Map<number, string>();
  for (const event of events) {
    if (event.type !== "text" && event.type !== "thinking") continue;
    told.set(event.index, (told.get(event.index) ?? "") + event.delta);
  }
  return [...told.values()].filter((text) => text !== "");
}

const caught = (run: () => unknown): MullError => {
  try {
    run();
  } catch (error) {
    if (isMullError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

const categoryOf = ({ response: { status, body_text: body } }: Recording): string => {
  if (body.includes("API key")) return "auth";
  if (body.includes("content_filter")) return "content_filter";
  if (body.includes("insufficient_quota")) return "quota";
  if (body.includes("model_not_found")) return "not_found";
  return { 400: "invalid_argument", 401: "auth", 404: "not_found", 500: "server" }[status] ?? "?";
};

describe("recorded refusals (I, R169)", () => {
  it.each(recordings.filter((each) => each.response.status !== 200))("reads $id", (recording) => {
    const { status, headers, body_text: body } = recording.response;
    const error = openaiResponses.decodeError({ status, headers, body }, recording.provider);
    expect(error.category).toBe(categoryOf(recording));
    expect(error.retryable).toBe(status === 500);
    expect(body).toContain(error.message);
  });

  it.each(recordings.filter((each) => each.response.status === 200 && !isAnswer(each)))(
    "reads the failure inside $id (F-R8)",
    (recording) => {
      const { body_text: body } = recording.response;
      const error = caught(() =>
        recording.stream
          ? stream(recording, 1 << 20)
          : decode(JSON.parse(body), contextOf(recording)),
      );
      const isTooLarge = body.includes("Request too large");
      expect(error.category).toBe(isTooLarge ? "invalid_argument" : "server");
      expect(error.retryable).toBe(!isTooLarge);
      expect(error.partial?.message.parts).toEqual([]);
    },
  );
});
