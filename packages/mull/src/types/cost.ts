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
