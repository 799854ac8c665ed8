import type { JsonObject } from "./json.ts";
import type { AssistantMessage, AssistantPart } from "./message.ts";
import type { Usage } from "./usage.ts";

/** The common reasons why an answer ends. */
export type FinishReason =
  | "stop"
  | "tool-calls"
  | "length"
  | "content-filter"
  | "refusal"
  | "pause"
  | "max-steps"
  | "budget"
  | "stop-when"
  | "approval"
  | "error";

/** Why an answer ended: the common reason, and the service's own word for it. */
export interface Finish {
  readonly reason: FinishReason;
  /** The service's own word. */
  readonly raw?: string;
  /** The service's explanation, or ours if the word is unknown. */
  readonly note?: string;
}

/** One whole answer as a wire decodes it. */
export interface Reply {
  readonly message: AssistantMessage;
  readonly finish: Finish;
  readonly usage: Usage;
  /** The service's id of this answer. */
  readonly id?: string;
  /** The model that served it, as the service names it. */
  readonly servedModel?: string;
  /** Thinking settings the service says it used. */
  readonly echo?: JsonObject;
  /** What else the service said: grounding, safety ratings, service tier, dropped blocks, … */
  readonly metadata?: JsonObject;
}

/**
 * One streamed answer: `start` first, `finish` last and exactly once. A `heartbeat` may stand anywhere
 * before the `finish`: only pings or comments came for a second or more, so the service is alive. `index` is the position of a
 * part in the message being built. A part's deltas come before its `part` event, which carries the
 * whole part with its seal; a part without deltas (redacted, opaque) has only that event.
 * Failure is thrown by the iterator, never yielded.
 */
export type StreamEvent =
  | { readonly type: "start"; readonly id?: string; readonly model?: string }
  | { readonly type: "thinking"; readonly index: number; readonly delta: string }
  | { readonly type: "text"; readonly index: number; readonly delta: string }
  | {
      readonly type: "tool-call";
      readonly index: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly type: "tool-input"; readonly index: number; readonly delta: string }
  | { readonly type: "part"; readonly index: number; readonly part: AssistantPart }
  | { readonly type: "heartbeat" }
  | { readonly type: "finish"; readonly reply: Reply };
