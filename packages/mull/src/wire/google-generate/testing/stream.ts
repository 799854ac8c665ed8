import { isMullError, type MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { Origin } from "../../../types/message.ts";
import type { DecodeContext, StreamDecoder } from "../../../types/wire.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "../client/decode-stream.ts";

export const origin: Origin = {
  wire: "google-generate",
  provider: "google",
  model: "gemini-3.8-flash",
};

export function contextOf(isFast = true): DecodeContext {
  let made = 0;
  let clock = 0;
  return {
    origin,
    now: () => (clock += 5),
    newId: () => `local${made++}`,
    ...(isFast && { hotReader: createHotReader }),
  };
}

export const chunk = (parts: unknown, rest: object = {}, top: object = {}): string =>
  JSON.stringify({
    candidates: [{ content: { parts, role: "model" }, ...rest, index: 0 }],
    usageMetadata: { promptTokenCount: 3, totalTokenCount: 5, candidatesTokenCount: 2 },
    modelVersion: "models/gemini-3.8-flash",
    responseId: "r1",
    ...top,
  });
export const stop: string = chunk([{ text: "" }], { finishReason: "STOP" });

export function read(
  frames: readonly string[],
  decoder: StreamDecoder = decodeStream(contextOf()),
): StreamEvent[] {
  const out: StreamEvent[] = [];
  for (const frame of frames) decoder.push(frame, undefined, out);
  decoder.end(out);
  return out;
}

export function failure(frames: readonly string[]): MullError {
  try {
    read(frames);
  } catch (error) {
    if (isMullError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

export const replyOf = (events: readonly StreamEvent[]): Reply => {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("not finished");
  return last.reply;
};

export const partsOf = (frames: readonly string[]): unknown => replyOf(read(frames)).message.parts;
