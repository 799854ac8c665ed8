import type { ChatResult } from "../chat/chat.ts";
import type { StreamEvent } from "../types/event.ts";
import type { ToolResultPart } from "../types/message.ts";
import type { AgentResult, ReadableMessage } from "./result.ts";

/** What happens in a turn, in order. `step` counts the answers of the turn from 0. */
export type AgentEvent =
  | {
      readonly type: "answer";
      readonly step: number;
      readonly event: Exclude<StreamEvent, { type: "finish" }>;
    }
  | { readonly type: "step"; readonly step: number; readonly result: ChatResult }
  | { readonly type: "tool-result"; readonly step: number; readonly result: ToolResultPart }
  | { readonly type: "turn"; readonly result: AgentResult };

/**
 * One piece of a streamed turn. Each delta is one chunk; a thinking chunk has an output without
 * parts. The last chunk has usage and does not repeat the whole.
 */
export interface AgentChunk {
  readonly thinking?: string;
  readonly text?: string;
  readonly output: ReadableMessage;
  readonly messages: readonly ReadableMessage[];
  readonly metadata: { readonly thinking?: string };
  readonly usage?: AgentResult["usage"];
  /** The event behind it, for who needs more than text. */
  readonly event: AgentEvent;
}

const silent: ReadableMessage = { role: "model", parts: [] };

export function toChunk(event: AgentEvent): AgentChunk {
  const plain = { output: silent, messages: [], metadata: {}, event };
  if (event.type === "turn") return { ...plain, usage: event.result.usage };
  if (event.type !== "answer") return plain;
  if (event.event.type === "thinking") {
    const { delta } = event.event;
    return { ...plain, thinking: delta, metadata: { thinking: delta } };
  }
  if (event.event.type !== "text") return plain;
  const { delta } = event.event;
  return {
    ...plain,
    text: delta,
    output: { role: "model", parts: [{ type: "text", text: delta }] },
  };
}
