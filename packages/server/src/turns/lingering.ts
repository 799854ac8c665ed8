/** Values that are kept for a while, for readers that come back. */
export interface Lingering<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
  readonly delete: (key: string) => void;
  /** Drops values that nobody came back for. */
  readonly sweep: () => void;
}

export interface LingeringOptions {
  readonly ms: number;
  /** Most values to keep; the oldest go first. */
  readonly most: number;
  readonly now?: () => number;
}

/** No timers: one for each value would outlive its use by far. */
export function createLingering<T>(options: LingeringOptions): Lingering<T> {
  const { ms, most, now = () => performance.now() } = options;
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  const sweep = (): void => {
    const at = now();
    for (const [key, { until }] of kept) {
      if (until > at && kept.size <= most) return;
      kept.delete(key);
    }
  };
  return {
    get: (key) => {
      sweep();
      return kept.get(key)?.value;
    },
    set: (key, value) => {
      kept.set(key, { value, until: now() + ms });
      sweep();
    },
    delete: (key) => void kept.delete(key),
    sweep,
  };
}
