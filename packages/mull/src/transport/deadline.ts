import { invalidArgument } from "../types/error.ts";

/** Limits in milliseconds of monotonic time. `Infinity` switches one off. */
export interface TimeLimits {
  /** From the start of an attempt to the first byte of the body. */
  readonly firstByteMs?: number;
  /** Longest time without a byte of any kind. Pings and comments count as life. */
  readonly idleMs?: number;
  /** Longest time without an event that says something. */
  readonly progressMs?: number;
  /** The whole call, retries and waits included. */
  readonly totalMs?: number;
}

export type LimitName = keyof TimeLimits;

const limitNames: readonly LimitName[] = ["totalMs", "firstByteMs", "idleMs", "progressMs"];

/** Runs `run` once after `ms` and returns how to prevent it. */
export type Schedule = (run: () => void, ms: number) => () => void;

export const schedule: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export const monotonicNow = (): number => performance.now();

/** Above this a timer of the platform fires at once. */
const longestTimerMs = 2 ** 31 - 1;

const noLimits = { progressMs: Infinity, totalMs: Infinity } as const;
const briskLimits = { firstByteMs: 120_000, idleMs: 300_000, ...noLimits } as const;
const patientLimits = { firstByteMs: 900_000, idleMs: 900_000, ...noLimits } as const;

export function timeLimits(asked: TimeLimits | undefined, mayThink: boolean): Required<TimeLimits> {
  const usual = mayThink ? patientLimits : briskLimits;
  if (asked === undefined) return usual;
  const limits = { ...usual, ...asked };
  for (const [name, ms] of Object.entries(limits)) {
    if (!(ms > 0)) throw invalidArgument(name, ms, "a number of milliseconds above 0, or Infinity");
  }
  return limits;
}

export interface Deadline {
  /** Somebody waits for bytes: silence counts. */
  readonly wait: () => void;
  /** Bytes came that say nothing. */
  readonly byte: () => void;
  /** Bytes came that say something. Until somebody waits again, only the whole call counts. */
  readonly news: () => void;
  /** Nobody waits for the first byte: a slow consumer is not a silent service. */
  readonly pause: () => void;
  readonly clear: () => void;
}

export interface DeadlineOptions {
  readonly limits: Required<TimeLimits>;
  /** When the whole call began; `totalMs` counts from here. */
  readonly startedAt: number;
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly onExpire: (name: LimitName, ms: number) => void;
}

/**
 * Four clocks, one timer. News only moves a number; the timer looks at the numbers when it fires
 * and sleeps again until the next of them is due.
 */
export function createDeadline(options: DeadlineOptions): Deadline {
  const { limits, startedAt, now, onExpire } = options;
  let began = now();
  let lastByte: number | undefined;
  let lastNews = began;
  let isWaiting = true;
  let pausedAt = began;
  let cancelTimer: (() => void) | undefined;
  let armedFor = Infinity;
  let isCleared = false;

  const dueAt = (name: LimitName): number => {
    if (name === "totalMs") return startedAt + limits.totalMs;
    if (!isWaiting || (name === "firstByteMs") !== (lastByte === undefined)) return Infinity;
    const since = name === "idleMs" ? lastByte : name === "progressMs" ? lastNews : began;
    return (since ?? began) + limits[name];
  };

  const nextDue = (): number =>
    Math.min(dueAt("totalMs"), dueAt("firstByteMs"), dueAt("idleMs"), dueAt("progressMs"));

  /** A timer that is already set for an earlier time is left alone: it will look again. */
  const arm = (): void => {
    const due = nextDue();
    if (isCleared || due >= armedFor) return;
    cancelTimer?.();
    armedFor = due;
    const wait = Math.min(Math.max(Math.ceil(due - now()), 0), longestTimerMs);
    cancelTimer = options.schedule(check, wait);
  };

  const check = (): void => {
    armedFor = Infinity;
    cancelTimer = undefined;
    const time = now();
    const name = isCleared ? undefined : limitNames.find((each) => dueAt(each) <= time);
    if (name === undefined) return arm();
    clear();
    onExpire(name, limits[name]);
  };

  const clear = (): void => {
    isCleared = true;
    cancelTimer?.();
    cancelTimer = undefined;
  };

  arm();
  return {
    wait: () => {
      if (isWaiting) return;
      isWaiting = true;
      const time = now();
      began += time - pausedAt;
      lastNews = time;
      if (lastByte !== undefined) lastByte = time;
      arm();
    },
    byte: () => {
      const isFirst = lastByte === undefined;
      lastByte = now();
      if (!isFirst) return;
      lastNews = lastByte;
      arm();
    },
    // Its time does not matter: the clocks begin anew when somebody waits again.
    news: () => {
      lastByte ??= began;
      isWaiting = false;
    },
    pause: () => {
      pausedAt = now();
      isWaiting = false;
    },
    clear,
  };
}
