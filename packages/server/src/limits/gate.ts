import { full } from "../http/refusals.ts";

export interface Gate {
  /** Runs work when there is room; refuses if too many are waiting. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Refuses if `run` would. Call it before work that would be wasted. */
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
  /**
   * Hand the place directly to the first in line: if it were given back in between, a newcomer
   * could take it too.
   */
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
