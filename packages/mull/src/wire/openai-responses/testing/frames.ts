import { isMullError, type MullError } from "../../../types/error.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "../client/decode-stream.ts";

export const context: DecodeContext = {
  origin: { wire: "openai-responses", provider: "openai", model: "gpt-6-sol" },
  now: () => 1000,
  newId: () => "made-here",
  hotReader: createHotReader,
};

export type Frame = JsonObject & { readonly type: string };

export interface Outcome {
  readonly events: readonly StreamEvent[];
  readonly error?: MullError;
}

export function run(
  frames: readonly (Frame | string)[],
  isFast = true,
  using: DecodeContext = context,
): Outcome {
  const { hotReader: _, ...slow } = using;
  const decoder = decodeStream(isFast ? using : slow);
  const events: StreamEvent[] = [];
  try {
    for (const frame of frames) {
      if (typeof frame === "string") decoder.push(frame, undefined, events);
      else decoder.push(JSON.stringify(frame), frame.type, events);
    }
    decoder.end(events);
  } catch (error) {
    if (isMullError(error)) return { events, error };
    throw error;
  }
  return { events };
}

export const replyOf = ({ events, error }: Outcome): Reply => {
  const last = events.at(-1);
  if (last?.type !== "finish") throw error ?? new Error("the stream did not finish");
  return last.reply;
};
export const partialOf = ({ error }: Outcome): Reply => {
  if (error?.partial === undefined) throw error ?? new Error("nothing was thrown");
  return error.partial;
};

export const created: Frame = {
  type: "response.created",
  response: { id: "resp_1", model: "gpt-6-sol" },
};
export const completed: Frame = {
  type: "response.completed",
  response: { id: "resp_1", model: "gpt-6-sol", status: "completed", output: [] },
};
export const added = (output_index: number, item: JsonObject): Frame => ({
  type: "response.output_item.added",
  output_index,
  item,
});
export const done = (output_index: number, item: JsonObject): Frame => ({
  type: "response.output_item.done",
  output_index,
  item,
});
export const delta = (
  name: string,
  output_index: number,
  text: string,
  more: JsonObject = {},
): Frame => ({
  type: `response.${name}.delta`,
  item_id: "x",
  output_index,
  ...more,
  delta: text,
});

export const thought: JsonObject = { type: "reasoning", id: "rs_1", summary: [] };
export const sealedThought: JsonObject = {
  ...thought,
  summary: [{ type: "summary_text", text: "Adding." }],
  encrypted_content: "gAAAwhole",
};
export const message: JsonObject = { type: "message", id: "msg_1", role: "assistant", content: [] };
export const answer: JsonObject = {
  ...message,
  phase: "final_answer",
  content: [{ type: "output_text", text: "It is 4", annotations: [] }],
};
export const call: JsonObject = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "add",
  arguments: "",
};
export const wholeCall: JsonObject = { ...call, arguments: '{"a":2}' };

export const turn: readonly Frame[] = [
  created,
  added(0, { ...thought, encrypted_content: "gAAA" }),
  delta("reasoning_summary_text", 0, "Add", { summary_index: 0 }),
  delta("reasoning_summary_text", 0, "ing.", { summary_index: 0 }),
  done(0, sealedThought),
  added(1, message),
  { type: "response.content_part.added", output_index: 1, content_index: 0, part: {} },
  delta("output_text", 1, "It ", { content_index: 0 }),
  delta("output_text", 1, "is ", { content_index: 0 }),
  delta("output_text", 1, "4", { content_index: 0 }),
  done(1, answer),
  added(2, call),
  delta("function_call_arguments", 2, '{"a"'),
  delta("function_call_arguments", 2, ":2}"),
  done(2, wholeCall),
  completed,
];
export const number = (frames: readonly Frame[]): readonly Frame[] =>
  frames.map((frame, sequence_number) => Object.assign({}, frame, { sequence_number }));
