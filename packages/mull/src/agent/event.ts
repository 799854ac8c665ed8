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

const nothing: readonly ReadableMessage[] = [];
const untold: AgentChunk["metadata"] = {};

export function toChunk(event: AgentEvent): AgentChunk {
  if (event.type === "turn") {
    return {
      output: silent,
      messages: nothing,
      metadata: untold,
      usage: event.result.usage,
      event,
    };
  }
  if (event.type === "answer" && event.event.type === "thinking") {
    const { delta } = event.event;
    return {
      thinking: delta,
      output: silent,
      messages: nothing,
      metadata: { thinking: delta },
      event,
    };
  }
  if (event.type === "answer" && event.event.type === "text") {
    const { delta } = event.event;
    const output: ReadableMessage = { role: "model", parts: [{ type: "text", text: delta }] };
    return { text: delta, output, messages: nothing, metadata: untold, event };
  }
  return { output: silent, messages: nothing, metadata: untold, event };
}
