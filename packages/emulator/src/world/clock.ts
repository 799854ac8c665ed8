/** The emulator's clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after this many milliseconds, and at once when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener("abort", wake);
  });

const seededStart = Date.UTC(2026, 10, 15, 12);

/** With a seed the dates on answers repeat too: the clock starts at noon and moves on by a second each time it is read. */
export const createClock = (seed: string | undefined): Clock => {
  if (seed === undefined) return { now: () => Date.now(), sleep };
  let looks = -1;
  return {
    now: () => {
      looks += 1;
      return seededStart + looks * 1000;
    },
    sleep,
  };
};
