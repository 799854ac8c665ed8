import { invalidArgument, type MullError } from "../types/error.ts";
import { abortFailure, type RemotePeer, timeoutFailure } from "./failure.ts";

/** Time limits in milliseconds. `Infinity` switches one off. */
export interface TimeLimits {
  /** From the start of an attempt to the first byte. Default 2 minutes, 15 where the model may think. */
  readonly firstByteMs?: number | undefined;
  /**
   * Longest time without a byte; pings and comments count as life. Default 5 minutes, 15 where the
   * model may think. Also how long a half-read answer waits for a reader who takes nothing of it:
   * after that, and before twice that, the connection is closed. A reader who comes back gets what
   * had come, then the error.
   */
  readonly idleMs?: number | undefined;
  /** Longest time without an event that has content. Default none. */
  readonly progressMs?: number | undefined;
  /** The whole call, retries and waits included. Default none. */
  readonly totalMs?: number | undefined;
}

export type LimitName = keyof TimeLimits;

/** All time limits with their defaults filled in. */
export type DeadlineLimits = Readonly<Record<LimitName, number>>;

const limitNames: readonly LimitName[] = ["totalMs", "firstByteMs", "idleMs", "progressMs"];

/** Runs `run` once after `ms` and returns how to prevent it. With `isIdle`, it keeps no process alive. */
export type Schedule = (run: () => void, ms: number, isIdle?: boolean) => () => void;

export const schedule: Schedule = (run, ms, isIdle = false) => {
  if (ms === Infinity) return () => undefined;
  const timer: unknown = setTimeout(run, timerMs(ms));
  // Browsers number their timers; those of Node are objects.
  if (isIdle) (timer as { readonly unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
};

/** Waits for a time. Never settles once `signal` aborts: the caller has been told by then. */
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

export function timeLimits(asked: TimeLimits | undefined, mayThink: boolean): DeadlineLimits {
  const usual = mayThink ? patientLimits : briskLimits;
  if (asked === undefined) return usual;
  const limits = limitNames.map((name) => [name, asked[name] ?? usual[name]] as const);
  for (const [name, ms] of limits) {
    if (!(ms > 0)) throw invalidArgument(name, ms, "a number of milliseconds above 0, or Infinity");
  }
  return Object.fromEntries(limits) as DeadlineLimits;
}

export interface LifelineOptions {
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly limits: DeadlineLimits;
  /** When the whole call began; `totalMs` counts from here. */
  readonly startedAt: number;
  readonly signal: AbortSignal | undefined;
  readonly peer: RemotePeer;
}

const beatMs = 1000;

/**
 * Four clocks, one timer. All but `totalMs` stand still while nobody waits for bytes. What comes only
 * moves a number; the timer looks at the numbers when it fires, and sleeps again until the next is due.
 */
class Deadline {
  readonly #options: LifelineOptions;
  readonly #onExpire: (name: LimitName, ms: number) => void;
  #began: number;
  #lastByte: number | undefined;
  #lastNews: number;
  /** When the reader was last told anything, if only that the service lives. */
  #toldAt: number;
  #pausedAt: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #isCleared = false;

  constructor(options: LifelineOptions, onExpire: (name: LimitName, ms: number) => void) {
    this.#options = options;
    this.#onExpire = onExpire;
    this.#began = this.#lastNews = this.#toldAt = options.now();
    this.#arm();
  }

  /** Somebody waits for bytes: silence counts. */
  wait(): void {
    if (this.#pausedAt === undefined) return;
    const pause = this.#options.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#began += pause;
    this.#lastNews += pause;
    this.#toldAt += pause;
    if (this.#lastByte !== undefined) this.#lastByte += pause;
    this.#arm();
  }

  /** The reader has something to do: until it waits again, only the whole call counts. */
  pause(): void {
    this.#pausedAt ??= this.#options.now();
    this.#arm();
  }

  /** Bytes came. `isNews`: they say something. */
  byte(isNews: boolean): void {
    const time = this.#options.now();
    const isFirst = this.#lastByte === undefined;
    this.#lastByte = time;
    if (isNews || isFirst) this.#lastNews = time;
    if (isNews) this.#toldAt = time;
    if (isFirst) this.#arm();
  }

  /** Whether the reader is to hear that bytes come, though none of them says anything: once a second. */
  isBeatDue(): boolean {
    const time = this.#options.now();
    if (time - this.#toldAt < beatMs) return false;
    this.#toldAt = time;
    return true;
  }

  clear(): void {
    this.#isCleared = true;
    this.#cancelTimer?.();
  }

  #dueAt(name: LimitName): number {
    const { startedAt, limits } = this.#options;
    if (name === "totalMs") return startedAt + limits.totalMs;
    if (this.#pausedAt !== undefined) return Infinity;
    if ((name === "firstByteMs") !== (this.#lastByte === undefined)) return Infinity;
    const since =
      name === "idleMs" ? this.#lastByte : name === "progressMs" ? this.#lastNews : this.#began;
    return (since ?? this.#began) + limits[name];
  }

  #arm(): void {
    if (this.#isCleared) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    let due = Infinity;
    for (const name of limitNames) due = Math.min(due, this.#dueAt(name));
    const { now, schedule: set } = this.#options;
    const isIdle = this.#pausedAt !== undefined;
    if (due < Infinity) this.#cancelTimer = set(() => this.#check(), timerMs(due - now()), isIdle);
  }

  #check(): void {
    if (this.#isCleared) return;
    const time = this.#options.now();
    const name = limitNames.find((each) => this.#dueAt(each) <= time);
    if (name === undefined) return this.#arm();
    this.clear();
    this.#onExpire(name, this.#options.limits[name]);
  }
}

/** Ends one attempt when the caller's signal aborts or a time limit passes. */
export class Lifeline {
  readonly deadline: Deadline;
  readonly #controller = new AbortController();
  readonly #unfollow: (() => void) | undefined;
  #failure: MullError | undefined;
  #stop: (() => void) | undefined;

  constructor(options: LifelineOptions) {
    const { signal, peer } = options;
    this.deadline = new Deadline(options, (name, ms) => this.#cut(timeoutFailure(name, ms, peer)));
    if (signal === undefined) return;
    const cut = (): void => this.#cut(abortFailure(signal.reason, peer));
    if (signal.aborted) cut();
    else this.#unfollow = onAbort(signal, cut);
  }

  /** For `fetch`. The caller's signal never gets there: a listener on it would stay. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it was cut, if it was. */
  failure(): MullError | undefined {
    return this.#failure;
  }

  /** `run` is called at most once, when it is cut. Replaces the one set before. */
  onCut(run: () => void): void {
    this.#stop = run;
  }

  /** Settles as `work` does, or rejects when it is cut; what comes too late is for `discard`. */
  race<T>(work: Promise<T>, discard?: (late: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#stop = () => reject(this.#failure);
      if (this.#failure !== undefined) this.#stop();
      work.then(
        (value) => (this.#failure === undefined ? resolve(value) : discard?.(value)),
        reject,
      );
    });
  }

  /** Lets go of clock and listener. Idempotent. */
  release(): void {
    this.deadline.clear();
    this.#unfollow?.();
  }

  /** Releases, and closes the connection. */
  close(): void {
    this.release();
    this.#controller.abort();
  }

  #cut(reason: MullError): void {
    this.#failure = reason;
    this.release();
    this.#controller.abort(reason);
    this.#stop?.();
  }
}

class Followers extends Set<() => void> {
  handleEvent(): void {
    this.forEach((run) => run());
  }
}

const followersOf: unique symbol = Symbol("followers");

/**
 * Runs `run` when `signal` aborts. Returns how to let go: the signal may outlive the call. All calls
 * share one listener, because Node prints MaxListenersExceededWarning for the eleventh on a signal.
 */
export function onAbort(
  signal: AbortSignal & { [followersOf]?: Followers },
  run: () => void,
): () => void {
  const followers = (signal[followersOf] ??= new Followers());
  if (followers.size === 0) signal.addEventListener("abort", followers);
  followers.add(run);
  return () => {
    if (followers.delete(run) && followers.size === 0)
      signal.removeEventListener("abort", followers);
  };
}
