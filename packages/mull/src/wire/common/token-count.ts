/** More tokens than any answer has: a counter that says more is broken. */
const mostTokens = 1_000_000_000_000;

/** Reads a token count. An impossible one, such as -1000000, 0.5 or 1e300, counts as unknown. */
export const readCount = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens
    ? (value as number)
    : undefined;
