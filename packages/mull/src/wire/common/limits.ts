/** Limits on the size of what a service sends. They are generous, since real events are large. */
export const limits = {
  /** `JSON.stringify` and `structuredClone` overflow near 5,000 levels. */
  jsonDepth: 512,
  blocks: 10_000,
} as const;
