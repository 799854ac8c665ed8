import type { Bucket, Store } from "@mull/store";

/** Tries in a window, counted in the store: together for all processes, and over restarts. */
export interface Attempts {
  /** Takes one; returns 0, or how many milliseconds until there is one again. */
  readonly take: (key: string) => Promise<number>;
  /** Gives back the one that was taken. */
  readonly give: (key: string) => Promise<void>;
  /** Gives back all that was taken, e.g. after a right password. */
  readonly clear: (key: string) => Promise<void>;
}

export interface AttemptOptions {
  readonly store: () => Promise<Store>;
  /** Apart from what else is counted. */
  readonly name: string;
  /** How many there are in `windowMs`. */
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
