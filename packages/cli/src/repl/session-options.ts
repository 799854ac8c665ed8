import type { CacheHints, Tool, UserPart } from "mull";
import type { Decide } from "../session/with-decisions.ts";
import type { Backend } from "../session/backend.ts";
import type { ReplClock } from "./terminal.ts";

export interface SessionOptions {
  readonly backend: Backend;
  /** As they are now. */
  readonly tools: () => readonly Tool[];
  /** Tools that run without asking. */
  readonly allow?: readonly string[];
  readonly system?: string;
  readonly maxOutputTokens?: number;
  readonly fallback?: readonly string[];
  readonly cache?: CacheHints;
  readonly heal?: "repair" | "fail";
  /** A conversation taken up again does not bring its own model. */
  readonly isModelFixed?: boolean;
  /** Nor its own level. */
  readonly isLevelFixed?: boolean;
  readonly clock: ReplClock;
  /** Folder of the conversations; absent: nothing is kept. */
  readonly folder?: string;
  readonly onTrouble: (message: string) => void;
  /** The chat is over. */
  readonly onEnd?: () => Promise<void>;
}

/** What goes with one question. */
export interface AskOptions {
  readonly signal: AbortSignal;
  /** Asks the person about a call that waits. */
  readonly decide: Decide;
  /** Let a known refusal be repaired, thinking off if that is what it is about. */
  readonly fix?: boolean;
}

/** The last thing that failed, for `/retry`. */
export interface FailedTurn {
  readonly input: string | readonly UserPart[];
  readonly error: unknown;
  /** Nothing of it is in the history. */
  readonly isLost: boolean;
}
