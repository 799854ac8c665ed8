import { MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { DecodeContext, StreamDecoder } from "../../../types/wire.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "../client/decode-stream.ts";

const ticks = Array.from({ length: 1000 }, (_, i) => i * 5);
const tick = (): number => ticks.shift() ?? 0;

export const context: DecodeContext = {
  origin: { wire: "anthropic-messages", provider: "anthropic", model: "claude-opus-5-5" },
  prefix: "fingerprint",
  now: tick,
  hotReader: createHotReader,
  newId: () => "made-here",
};

export const start: JsonObject = {
  type: "message_start",
  message: { id: "msg_1", model: "m", content: [], usage: { input_tokens: 3, output_tokens: 1 } },
};
export const stop: JsonObject = { type: "message_stop" };
export const end: JsonObject = {
  type: "message_delta",
  delta: { stop_reason: "end_turn" },
  usage: { output_tokens: 9 },
};
export const block = (index: number, content_block: JsonObject): JsonObject => ({
  type: "content_block_start",
  index,
  content_block,
});
export const delta = (index: number, fields: JsonObject): JsonObject => ({
  type: "content_block_delta",
  index,
  delta: fields,
});
export const closed = (index: number): JsonObject => ({ type: "content_block_stop", index });
export const says = (index: number, text: string): JsonObject =>
  delta(index, { type: "text_delta", text });
export const thinks = (index: number, thinking: string): JsonObject =>
  delta(index, { type: "thinking_delta", thinking });
export const signs = (index: number, signature: string): JsonObject =>
  delta(index, { type: "signature_delta", signature });
export const writes = (index: number, partial_json: string): JsonObject =>
  delta(index, { type: "input_json_delta", partial_json });
export const thought: JsonObject = { type: "thinking", thinking: "", signature: "" };
export const call: JsonObject = { type: "tool_use", id: "toolu_1", name: "f", input: {} };

export function run(frames: readonly (JsonObject | string)[]): {
  events: StreamEvent[];
  decoder: StreamDecoder;
} {
  const decoder = decodeStream(context);
  const events: StreamEvent[] = [];
  for (const frame of frames) {
    decoder.push(typeof frame === "string" ? frame : JSON.stringify(frame), undefined, events);
  }
  return { events, decoder };
}

export function partsOf(frames: readonly (JsonObject | string)[]): readonly unknown[] {
  const last = run([start, ...frames, end, stop]).events.at(-1);
  return last?.type === "finish" ? last.reply.message.parts : [];
}

export function failing(frames: readonly (JsonObject | string)[], event?: string): MullError {
  const decoder = decodeStream(context);
  try {
    for (const frame of frames)
      decoder.push(typeof frame === "string" ? frame : JSON.stringify(frame), event, []);
    decoder.end([]);
  } catch (error) {
    if (error instanceof MullError) return error;
  }
  throw new Error("nothing was thrown");
}
