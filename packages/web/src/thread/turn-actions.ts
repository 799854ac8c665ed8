import type { Level } from "mull";
import type { AsOf, CallVerdict, ForkFrom } from "../api.ts";

/** What can be done with a turn. Ids are those of messages on the page. */
export interface TurnActions {
  readonly retry: (answerId: string, how?: RetryHow) => void;
  /** Lets people choose another model for it. */
  readonly retryWith: (answerId: string) => void;
  /** Says of a call that waits whether it runs. */
  readonly decide: (verdict: CallVerdict) => Promise<void>;
  readonly edit: (questionId: string, text: string) => void;
  /** What was changed in a question and not asked yet; empty if nothing was. */
  readonly readEdit: (questionId: string) => string;
  readonly keepEdit: (questionId: string, text: string) => void;
  readonly fork: (from: ForkFrom) => void;
  readonly showReceipt: (answerId: string) => void;
  /** Reads the conversation once more. */
  readonly readAgain: () => void;
  readonly inspect: (asOf?: AsOf) => void;
  /** Shows where keys are set. */
  readonly openKeys: () => void;
  /** Shows another branch at this place. */
  readonly goTo: (messageId: string) => void;
}

export interface RetryHow {
  /** With this level and model instead of those of the composer. */
  readonly level?: Level | "lower";
  readonly model?: string;
  /** Most tokens of the answer, above what thinking takes. */
  readonly room?: number;
  /** What was refused is repaired by the rules that refuse it. */
  readonly fix?: true;
}
