import type { Bucket, Store } from "@mull/store";

/** Attempts in a time window, counted in the store: across all processes and restarts. */
export interface Attempts {
  /** Takes one; returns 0, or the milliseconds until there is one again. */
  readonly take: (key: string) => Promise<number>;
  /** Gives back the last one. */
  readonly give: (key: string) => Promise<void>;
  /** Gives all of them back, for example after a right password. */
  readonly clear: (key: string) => Promise<void>;
}

export interface AttemptOptions {
  readonly store: () => Promise<Store>;
  /** The name of this counter. */
  readonly name: string;
  /** How many are allowed in `windowMs`. */
  readonly size: number;
  readonly windowMs: number;
}

export function createAttempts({ store, name, size, windowMs }: AttemptOptions): Attempts {
  const keyOf = (key: string): string => `${name} ${key}`;
  const bucketOf = (key: string): Bucket => ({
    key: keyOf(key),
    size,
    refillMs: windowMs / size,
  });
  return {
    take: async (key) => (await (await store()).takeFrom(bucketOf(key))).waitMs,
    give: async (key) => (await store()).giveBack(bucketOf(key)),
    clear: async (key) => (await store()).refill(keyOf(key)),
  };
}
