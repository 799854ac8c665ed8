/** Shares the event loop: long work asks before each piece, and waits if others are due. */
export interface LoopShare {
  /**
   * `undefined` while this round of the loop has time left; otherwise resolves in a later round, in
   * order.
   */
  readonly take: () => Promise<void> | undefined;
}

export interface LoopShareOptions {
  /** How much of a round the work may take. */
  readonly budgetMs?: number;
  readonly now?: () => number;
}

/**
 * When two hundred sockets are readable, Node serves them all before it gets to timers, other
 * readers and the health check. Work that asks here first is spread over many rounds, as much in
 * each as fits. With a single piece for each round, a queue would never empty.
 */
export function createLoopShare(options: LoopShareOptions = {}): LoopShare {
  const { budgetMs = 10, now = () => performance.now() } = options;
  const waiting: (() => void)[] = [];
  let roundStartedAt: number | undefined;

  const hasTime = (): boolean => roundStartedAt !== undefined && now() - roundStartedAt <= budgetMs;
  const beginRound = (): void => {
    roundStartedAt = now();
    setImmediate(endRound);
  };
  const endRound = (): void => {
    roundStartedAt = undefined;
    if (waiting.length === 0) return;
    beginRound();
    goOn();
  };
  const goOn = (): void => {
    if (!hasTime()) return;
    waiting.shift()?.();
    // A tick comes after everything this has triggered, so only then is its duration known.
    if (waiting.length > 0) void soon.then(tick);
  };
  const tick = (): void => process.nextTick(goOn);

  return {
    take() {
      if (roundStartedAt === undefined) beginRound();
      else if (waiting.length > 0 || !hasTime()) {
        return new Promise((resolve) => {
          waiting.push(resolve);
        });
      }
      return undefined;
    },
  };
}

const soon = Promise.resolve();

/** Asking before each item would take longer than most items do. */
const askEvery = 100;

/** Maps a long list in slices and yields to the event loop between them. */
export async function mapInSlices<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
  loop: LoopShare = createLoopShare(),
): Promise<readonly U[]> {
  const mapped: U[] = [];
  for (let next = 0; next < items.length; next += askEvery) {
    await loop.take();
    const slice = items.slice(next, next + askEvery);
    for (const [index, item] of slice.entries()) mapped.push(map(item, next + index));
  }
  return mapped;
}
