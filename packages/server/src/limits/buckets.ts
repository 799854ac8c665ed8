/**
 * Counts per key in a window. Forgets keys by itself, so that made-up names don't fill the memory.
 */
export interface Buckets {
  /** Takes one; returns 0, or the milliseconds until there is one again. */
  readonly take: (key: string) => number;
}

export interface BucketOptions {
  /** How many it holds. */
  readonly size: number;
  /** Milliseconds until one comes back. */
  readonly refillMs: number;
  readonly now: () => number;
  /** Most keys in memory; the oldest go first. */
  readonly keys?: number;
}

export function createBuckets({ size, refillMs, now, keys = 50_000 }: BucketOptions): Buckets {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    take(key) {
      const at = now();
      const known = buckets.get(key);
      const level =
        known === undefined
          ? size
          : Math.min(size, known.level + Math.max(0, at - known.at) / refillMs);
      buckets.delete(key);
      if (buckets.size >= keys) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      const isThere = level >= 1;
      buckets.set(key, { level: isThere ? level - 1 : level, at });
      return isThere ? 0 : Math.ceil((1 - level) * refillMs);
    },
  };
}
