import { invalidArgument } from "../types/error.ts";

/** Time limits in milliseconds. `Infinity` switches one off. */
export interface TimeLimits {
  /** From the start of an attempt to the first byte. Default 2 minutes, 15 where the model may think. */
  readonly firstByteMs?: number | undefined;
  /**
   * Longest time without a byte; pings and comments count as life. Default 5 minutes, 15 where the
   * model may think. Also how long a half-read answer is kept for a reader who takes nothing of it:
   * after that, and before twice that, the connection is closed. Who reads on gets what had come, then
   * the error.
   */
  readonly idleMs?: number | undefined;
  /** Longest time without an event that says something. Default none. */
  readonly progressMs?: number | undefined;
  /** The whole call, retries and waits included. Default none. */
  readonly totalMs?: number | undefined;
}

export type LimitName = keyof TimeLimits;

/** Every limit, decided. */
export type Limits = Readonly<Record<LimitName, number>>;

const limitNames: readonly LimitName[] = ["totalMs", "firstByteMs", "idleMs", "progressMs"];

/** Runs `run` once after `ms` and returns how to prevent it. */
export type Schedule = (run: () => void, ms: number) => () => void;

export const schedule: Schedule = (run, ms) => {
  if (ms === Infinity) return () => undefined;
  const timer = setTimeout(run, timerMs(ms));
  return () => clearTimeout(timer);
};

/** Never settles once `signal` aborts: the caller has been told by then. */
export const sleepFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!signal.aborted) signal.addEventListener("abort", schedule(resolve, ms));
  });

export const monotonicNow = (): number => performance.now();

/** A timer that is set for longer than this, 25 days, fires at once on every platform. */
const longestTimerMs = 2 ** 31 - 1;

const timerMs = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), longestTimerMs);

const noLimits = { progressMs: Infinity, totalMs: Infinity } as const;
const briskLimits = { firstByteMs: 120_000, idleMs: 300_000, ...noLimits } as const;
const patientLimits = { firstByteMs: 900_000, idleMs: 900_000, ...noLimits } as const;

export function timeLimits(asked: TimeLimits | undefined, mayThink: boolean): Limits {
  const usual = mayThink ? patientLimits : briskLimits;
  if (asked === undefined) return usual;
  const limits = limitNames.map((name) => [name, asked[name] ?? usual[name]] as const);
  for (const [name, ms] of limits) {
    if (!(ms > 0)) throw invalidArgument(name, ms, "a number of milliseconds above 0, or Infinity");
  }
  return Object.fromEntries(limits) as Limits;
}

export interface DeadlineOptions {
  readonly limits: Limits;
  /** When the whole call began; `totalMs` counts from here. */
  readonly startedAt: number;
  readonly now: () => number;
  readonly schedule: Schedule;
}

const beatMs = 1000;

/** `isUnread`: what had come was left lying. */
type OnExpire = (name: LimitName, ms: number, isUnread: boolean) => void;

/**
 * Four clocks, one timer. News only moves a number; the timer looks at the numbers when it fires
 * and sleeps again until the next of them is due.
 */
export class Deadline {
  readonly #options: DeadlineOptions;
  readonly #onExpire: OnExpire;
  #began: number;
  #lastByte: number | undefined;
  #lastNews: number;
  #isWaiting = true;
  #pausedAt: number;
  /** When it was last seen that the reader takes events. */
  #readAt: number;
  #isRead = false;
  /** When the reader was last told anything, if only that the service lives. */
  #toldAt: number;
  #cancelTimer: (() => void) | undefined;
  #armedFor = Infinity;
  #isCleared = false;

  constructor(options: DeadlineOptions, onExpire: OnExpire) {
    this.#options = options;
    this.#onExpire = onExpire;
    this.#began = this.#lastNews = this.#pausedAt = this.#readAt = options.now();
    this.#toldAt = this.#began;
    this.#arm();
  }

  /** Somebody waits for bytes: silence counts. */
  wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const time = this.#options.now();
    this.#began += time - this.#pausedAt;
    this.#toldAt = time;
    this.#lastNews = time;
    if (this.#lastByte !== undefined) this.#lastByte = time;
    this.#arm();
  }

  /** Bytes came that say nothing. */
  byte(): void {
    const isFirst = this.#lastByte === undefined;
    this.#lastByte = this.#options.now();
    if (!isFirst) return;
    this.#lastNews = this.#lastByte;
    this.#arm();
  }

  /** Whether the reader is to hear that bytes come, though none of them says anything: once a second. */
  isBeatDue(): boolean {
    const time = this.#options.now();
    if (time - this.#toldAt < beatMs) return false;
    this.#toldAt = time;
    return true;
  }

  /**
   * Bytes came that say something. Until somebody waits again, only the whole call and the reader
   * count. When they came does not matter: the clocks begin anew then.
   */
  news(): void {
    this.#isWaiting = false;
    this.#isRead = true;
    if (this.#lastByte !== undefined) return;
    this.#lastByte = this.#began;
    this.#readAt = this.#options.now();
    this.#arm();
  }

  /** The reader took an event. It does so for every one: the time is looked at when the timer fires. */
  read(): void {
    this.#isRead = true;
  }

  /** Nobody waits for the first byte yet. */
  pause(): void {
    this.#pausedAt = this.#readAt = this.#options.now();
    this.#isWaiting = false;
  }

  clear(): void {
    this.#isCleared = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #dueAt(name: LimitName): number {
    const { startedAt, limits } = this.#options;
    if (name === "totalMs") return startedAt + limits.totalMs;
    if (!this.#isWaiting) return name === "idleMs" ? this.#readAt + limits.idleMs : Infinity;
    if ((name === "firstByteMs") !== (this.#lastByte === undefined)) return Infinity;
    const since =
      name === "idleMs" ? this.#lastByte : name === "progressMs" ? this.#lastNews : this.#began;
    return (since ?? this.#began) + limits[name];
  }

  /** A timer that is already set for an earlier time is left alone: it will look again. */
  #arm(): void {
    let due = Infinity;
    for (const name of limitNames) due = Math.min(due, this.#dueAt(name));
    if (this.#isCleared || due >= this.#armedFor) return;
    this.#cancelTimer?.();
    this.#armedFor = due;
    const wait = timerMs(due - this.#options.now());
    this.#cancelTimer = this.#options.schedule(() => this.#check(), wait);
  }

  #check(): void {
    this.#armedFor = Infinity;
    this.#cancelTimer = undefined;
    const time = this.#options.now();
    const name = this.#isCleared ? undefined : limitNames.find((each) => this.#dueAt(each) <= time);
    const isUnread = name === "idleMs" && !this.#isWaiting;
    if (isUnread && this.#isRead) {
      this.#isRead = false;
      this.#readAt = time;
      return this.#arm();
    }
    if (name === undefined) return this.#arm();
    this.clear();
    this.#onExpire(name, this.#options.limits[name], isUnread);
  }
}
