/** Lets much work that comes at once share the event loop, so that nobody else waits long for it. */
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
 * to other readers, to the health check. Work that asks here first is spread over many rounds.
 */
export function createLoopShare(options: LoopShareOptions = {}): LoopShare {
  const { budgetMs = 10, now = () => performance.now() } = options;
  const waiting: (() => void)[] = [];
  let roundStartedAt: number | undefined;

  const schedule = (): void => {
    roundStartedAt = now();
    setImmediate(() => {
      roundStartedAt = undefined;
      const go = waiting.shift();
      if (go === undefined) return;
      schedule();
      go();
    });
  };

  return {
    take() {
      if (roundStartedAt === undefined) schedule();
      else if (waiting.length > 0 || now() - roundStartedAt > budgetMs) {
        return new Promise((resolve) => {
          waiting.push(resolve);
        });
      }
      return undefined;
    },
  };
}
