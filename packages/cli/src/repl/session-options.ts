import type { Tool, UserPart } from "mull";
import type { Backend } from "../session/backend.ts";
import type { ReplClock } from "./terminal.ts";

export interface SessionOptions {
  readonly backend: Backend;
  readonly tools: readonly Tool[];
  readonly system?: string;
  readonly maxOutputTokens?: number;
  readonly heal?: "repair" | "fail";
  /** A conversation taken up again does not bring its own model. */
  readonly isModelFixed?: boolean;
  /** Nor its own level. */
  readonly isLevelFixed?: boolean;
  readonly clock: ReplClock;
  /** Folder of the conversations; absent: nothing is kept. */
  readonly folder?: string;
  readonly onTrouble: (message: string) => void;
}

/** What goes with one question. */
export interface AskOptions {
  readonly signal: AbortSignal;
  /** Let a known refusal be mended, thinking off if that is what it is about. */
  readonly fix?: boolean;
}

/** The last thing that failed, for `/retry`. */
export interface FailedTurn {
  readonly input: string | readonly UserPart[];
  readonly error: unknown;
  /** Nothing of it is in the history. */
  readonly isLost: boolean;
}
