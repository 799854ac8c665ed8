import { full } from "../http/refusals.ts";

export interface Gate {
  /** Runs the work when there is room; refuses when too many wait already. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createGate({
  most,
  waiting,
}: {
  readonly most: number;
  readonly waiting: number;
}): Gate {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= most) {
        if (queue.length >= waiting) throw full("Too many sign in at once.");
        await new Promise<void>((resolve) => {
          queue.push(resolve);
        });
      }
      running++;
      try {
        return await work();
      } finally {
        running--;
        queue.shift()?.();
      }
    },
  };
}
