import type { JsonObject } from "./json.ts";

/**
 * Tokens, each counted once: `total = input + cacheRead + cacheWrite + output + thinking`, and what a
 * summary of the service took.
 * Absent means that the service does not say; it is never zero by default.
 */
export interface Usage {
  /** Input that was neither read from nor written to a cache. */
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  readonly cacheWriteHour?: number;
  /** Visible output, without thinking. Includes thinking if `thinking` is absent and was billed. */
  readonly output?: number;
  readonly thinking?: number;
  readonly thinkingSource?: "reported" | "derived" | "estimated";
  readonly total?: number;
  /** What the service read and wrote to shorten the conversation (`serviceCompactsAt`). */
  readonly summaryInput?: number;
  readonly summaryOutput?: number;
  /** The answer broke off before its counts arrived. Missing counts are estimated and may be too low. */
  readonly estimated?: true;
  /** What is wrong with counts that do not add up. */
  readonly warning?: string;
  /** The service's own object. */
  readonly raw?: JsonObject;
}

/** The cost of one answer in US dollars. `total` is the sum of the others. */
export interface Cost {
  readonly total: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Thinking is billed as output. */
  readonly thinking: number;
  /** Token counts are estimates, or cached input was priced as input because its price is unknown. */
  readonly estimated?: true;
  /** A lower bound: an answer broke off before its counts arrived, or one of several has no known price. */
  readonly atLeast?: true;
}
