import { full } from "../http/refusals.ts";

export interface Gate {
  /** Runs the work when there is room; refuses when too many wait already. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Refuses when `run` would: before work that is of no use without it. */
  readonly check: () => void;
}

export function createGate({
  most,
  waiting,
  refusal = "Too many people are signing in at once.",
}: {
  readonly most: number;
  readonly waiting: number;
  readonly refusal?: string;
}): Gate {
  const queue: (() => void)[] = [];
  let running = 0;
  const isFull = (): boolean => running >= most && queue.length >= waiting;
  const check = (): void => {
    if (isFull()) throw full(refusal);
  };
  /** The place goes to who waits first: given back in between, somebody who comes now would have it too. */
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  };
  return {
    check,
    async run(work) {
      check();
      if (running < most) running++;
      else {
        await new Promise<void>((resolve) => {
          queue.push(resolve);
        });
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
