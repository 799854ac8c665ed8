/** The cost of one answer in US dollars. `total` is the sum of the others. */
export interface Cost {
  readonly total: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Thinking is billed as output. */
  readonly thinking: number;
  /** Tokens are a guess, or the price of cached input is not known and that of input was taken. */
  readonly estimated?: true;
  /** A lower bound: an answer broke off before its counts came, or one of several has no known price. */
  readonly atLeast?: true;
}
