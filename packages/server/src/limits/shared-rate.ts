import type { Store } from "@mull/store";
import type { BucketOptions, Buckets } from "./buckets.ts";

/** How often a client may ask. */
export interface Rate {
  /** Takes one; returns 0, or the milliseconds until there is one again. */
  readonly take: (key: string) => number | Promise<number>;
  /** A request of theirs is probably on its way: what it needs from the store is asked for now. */
  readonly expect?: (key: string) => void;
}

export interface SharedRateOptions extends BucketOptions {
  readonly store: () => Promise<Store>;
  /** Counts in this process while the store is away. */
  readonly local: Buckets;
}

/** Requests that a process has drawn for a client and not used. */
interface Drawn {
  left: number;
  /** Until then, nothing is left in the store either. */
  readonly emptyUntil: number;
  readonly at: number;
}

/** Unused requests are given up after this long, because other processes may want them. */
const keptMs = 1000;
/** Each question to the store covers this many requests. */
const drawAtOnce = 10;

/**
 * One rate for all processes. Each draws a few requests at a time from the store, so most pass
 * without asking it. Others miss unused ones for a moment, but never more pass than the store gave.
 */
export function createSharedRate(options: SharedRateOptions): Rate {
  const { store, size, refillMs, now, local, keys = 50_000 } = options;
  const drawn = new Map<string, Drawn>();
  const drawing = new Map<string, Promise<void>>();
  const most = Math.max(1, Math.min(drawAtOnce, Math.floor(size / drawAtOnce)));

  const draw = async (key: string): Promise<void> => {
    const from = await (await store()).takeFrom({ key: `rate ${key}`, size, refillMs }, most);
    const at = now();
    drawn.delete(key);
    const [oldest] = drawn.keys();
    if (drawn.size >= keys && oldest !== undefined) drawn.delete(oldest);
    drawn.set(key, { left: from.taken, emptyUntil: at + from.waitMs, at });
  };
  const drawOnce = (key: string): Promise<void> => {
    const known = drawing.get(key);
    if (known !== undefined) return known;
    const work = draw(key).finally(() => drawing.delete(key));
    drawing.set(key, work);
    return work;
  };
  /** 0 if there is one here. `undefined`: ask the store. */
  const waitHere = (key: string): number | undefined => {
    const known = drawn.get(key);
    if (known === undefined) return undefined;
    if (known.left > 0 && now() - known.at < keptMs) return 0;
    const wait = known.emptyUntil - now();
    return wait > 0 ? Math.ceil(wait) : undefined;
  };
  const takeHere = (key: string): number | undefined => {
    const wait = waitHere(key);
    if (wait === 0) drawn.get(key)!.left--;
    return wait;
  };

  return {
    take(key) {
      const here = takeHere(key);
      return here ?? takeThere(key);
    },
    expect(key) {
      if (waitHere(key) === undefined) drawOnce(key).catch(() => undefined);
    },
  };

  async function takeThere(key: string): Promise<number> {
    for (;;) {
      try {
        await drawOnce(key);
      } catch {
        return local.take(key);
      }
      const here = takeHere(key);
      if (here !== undefined) return here;
    }
  }
}
