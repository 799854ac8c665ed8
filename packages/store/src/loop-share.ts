/** Shares the event loop: long work asks here before each piece, and waits when others are due. */
export interface LoopShare {
  /** `undefined` while this round of the loop has time left; else resolves in a later round, in order. */
  readonly take: () => Promise<void> | undefined;
}

export interface LoopShareOptions {
  /** How much of a round the work may take. */
  readonly budgetMs?: number;
  readonly now?: () => number;
}

/**
 * A loop that finds two hundred sockets readable serves them all before it turns again: to timers,
 * to other readers, to the health check. Work that asks here first is spread over many rounds, as
 * much in each as fits: with one piece a round, a queue that has once begun would never end.
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
    // A tick comes when all that this has set off is done: only then is it known how long it took.
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

/** To ask before each item would take longer than most items do. */
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
