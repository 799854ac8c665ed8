import type { Reply } from "./event.ts";
import type { Level } from "./level.ts";
import type { ToolCallPart, ToolResultPart } from "./message.ts";
import type { Attempt, FailedModel, Note, Receipt, Repair, ThinkingPlan } from "./plan.ts";
import type { WireRequest } from "./request.ts";

/** What happens to one request. `end` is the last; without reply and error, the reader has left. */
type RequestObservation =
  | {
      readonly type: "composed";
      readonly plan: ThinkingPlan;
      readonly request: WireRequest;
      readonly notes: readonly Note[];
      /** Origin of the address it is sent to. */
      readonly endpoint: string;
    }
  | { readonly type: "repair"; readonly repair: Repair }
  | { readonly type: "sent"; readonly attempt: number }
  /** The attempt before failed, and the same is sent again. */
  | { readonly type: "retry"; readonly attempt: number; readonly failed: Attempt }
  | { readonly type: "first-byte" }
  | {
      readonly type: "end";
      readonly receipt?: Receipt;
      readonly reply?: Reply;
      readonly error?: unknown;
    };

/** What happens to one turn of an agent, around its requests. `turn-end` is the last. */
type TurnObservation =
  | {
      readonly type: "turn-start";
      readonly provider: string;
      readonly model: string;
      readonly level: Level;
    }
  | { readonly type: "step"; readonly receipt: Receipt }
  | {
      readonly type: "fallback";
      readonly failed: FailedModel;
      readonly next: Pick<FailedModel, "provider" | "model">;
    }
  | { readonly type: "tool-start"; readonly call: ToolCallPart }
  | { readonly type: "tool-end"; readonly call: ToolCallPart; readonly result: ToolResultPart }
  | { readonly type: "turn-end"; readonly receipts: readonly Receipt[]; readonly error?: unknown };

/** When something happened, and to what. */
interface ObservationStamp {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The same for everything that happens to one request; the service's own is in the receipt. */
  readonly requestId?: string;
  /** The same for everything that happens in one turn. */
  readonly turnId?: string;
  /** Counted from 0 within the turn. */
  readonly step?: number;
}

/** One thing that happened, without its stamp. */
export type Happening = RequestObservation | TurnObservation;

/** What the `observe` option is told. */
export type Observation = ObservationStamp & Happening;

/** A tool that is about to run. */
export interface ToolRun extends Pick<ObservationStamp, "turnId" | "step"> {
  readonly call: ToolCallPart;
}

/** Called for everything that happens to requests and turns. Nothing waits for what it returns. */
export interface Observe {
  (observation: Observation): unknown;
  /**
   * Calls `run` inside a context of its own, e.g. with a tracing span as the active one, so that what the tool
   * does belongs to it. A tool whose `run` it does not call at once runs without it.
   */
  readonly around?: ((tool: ToolRun, run: () => void) => unknown) | undefined;
}
