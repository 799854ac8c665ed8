import type { Tool } from "mull";
import type { Backend } from "../session/backend.ts";
import type { Clock } from "./terminal.ts";

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
  readonly clock: Clock;
  /** Folder of the conversations; absent: nothing is kept. */
  readonly folder?: string;
  readonly onTrouble: (message: string) => void;
}
