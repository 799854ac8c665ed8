/** Counts per key in a window; forgets keys by itself, so that made-up names fill no memory. */
export interface Buckets {
  /** Takes one; returns 0, or how many milliseconds until there is one again. */
  readonly take: (key: string) => number;
}

export interface BucketOptions {
  /** How many fit. */
  readonly size: number;
  /** Milliseconds until one comes back. */
  readonly refillMs: number;
  readonly now: () => number;
  /** Keys held at most; the oldest go first. */
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
