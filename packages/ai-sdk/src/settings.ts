import type { CacheHints, ChatOptions, JsonObject, Level } from "mull";

/** How models of `createMull` are asked. Keys come from the environment if you pass none. */
export type MullSettings = Pick<
  ChatOptions,
  | "apiKey"
  | "baseUrl"
  | "headers"
  | "env"
  | "fetch"
  | "dispatcher"
  | "limits"
  | "heal"
  | "openLoop"
  | "simulated"
  | "clock"
  | "newId"
>;

/** What one call may set under `providerOptions.mull`. */
export interface MullCallOptions {
  readonly level?: Level;
  /** A thinking budget in tokens instead of the level's. */
  readonly thinkingBudget?: number;
  readonly showThinking?: boolean | "auto" | "concise" | "detailed";
  readonly cache?: CacheHints;
  readonly userId?: string;
  readonly heal?: "repair" | "insist" | "fail";
  /** Merged into the request body last, for fields that mull does not model. */
  readonly extra?: JsonObject;
}
