import { invalidArgument, type MullError } from "../types/error.ts";
import { abortFailure, type RemotePeer, timeoutFailure } from "./failure.ts";

/** Time limits in milliseconds. `Infinity` switches one off. */
export interface TimeLimits {
  /** From the start of an attempt to the first byte. Default 2 minutes, 15 if the model may think. */
  readonly firstByteMs?: number | undefined;
  /**
   * Longest time without a byte; pings and comments count as life. Default 5 minutes, 15 if the
   * model may think. Also how long a half-read answer waits for its reader: when nothing was read
   * for one to two times as long, the connection is closed. A reader who comes back gets the events that
   * had arrived, then the error.
   */
  readonly idleMs?: number | undefined;
  /** Longest time without an event that has content. Default none. */
  readonly progressMs?: number | undefined;
  /** The whole call, retries and waits included. Default none. */
  readonly totalMs?: number | undefined;
}

/** The name of a time limit, which is also the `code` of the error it ends a request with. */
export type LimitName = keyof TimeLimits;

/** All time limits with their defaults filled in. */
export type DeadlineLimits = Readonly<Record<LimitName, number>>;

const limitNames: readonly LimitName[] = ["totalMs", "firstByteMs", "idleMs", "progressMs"];

/** Runs `run` once after `ms` and returns how to prevent it. With `isIdle`, it keeps no process alive. */
export type Schedule = (run: () => void, ms: number, isIdle?: boolean) => () => void;

/** The runtime's timers as a `Schedule`. */
export const schedule: Schedule = (run, ms, isIdle = false) => {
  if (ms === Infinity) return () => undefined;
  const timer: unknown = setTimeout(run, timerMs(ms));
  // In browsers a timer is a number, which has no `unref`.
  if (isIdle) (timer as { readonly unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
};

/** Waits for a time. When `signal` aborts it never settles: the `Lifeline` it races against has rejected by then. */
export const sleepFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!signal.aborted) signal.addEventListener("abort", schedule(resolve, ms));
  });

/** A clock that never jumps; `Date.now` does when the machine sets its time, which would end requests at random. */
export const monotonicNow = (): number => performance.now();

/** A timer that is set for longer than this, 25 days, fires at once on every platform. */
const longestTimerMs = 2 ** 31 - 1;

const timerMs = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), longestTimerMs);

const noLimits = { progressMs: Infinity, totalMs: Infinity } as const;
const briskLimits = { firstByteMs: 120_000, idleMs: 300_000, ...noLimits } as const;
const patientLimits = { firstByteMs: 900_000, idleMs: 900_000, ...noLimits } as const;

/** The limits asked for, with the defaults for the rest. Refuses what is no time, e.g. `NaN`, which is never reached. */
export function timeLimits(asked: TimeLimits | undefined, mayThink: boolean): DeadlineLimits {
  const usual = mayThink ? patientLimits : briskLimits;
  if (asked === undefined) return usual;
  const limits = limitNames.map((name) => [name, asked[name] ?? usual[name]] as const);
  for (const [name, ms] of limits) {
    if (!(ms > 0)) throw invalidArgument(name, ms, "a number of milliseconds above 0, or Infinity");
  }
  return Object.fromEntries(limits) as DeadlineLimits;
}

/** What a `Lifeline` needs to know. */
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
 * The four time limits on one timer. Setting a timer anew for each of a thousand chunks would cost
 * more than reading them, so a chunk only notes the time; when the timer fires it compares, and is
 * set again if no limit has passed. All but `totalMs` stop while nobody waits for bytes: a user who
 * takes ten minutes over one event is not the service's silence.
 */
class Deadline {
  readonly #options: LifelineOptions;
  readonly #onExpire: (name: LimitName, ms: number) => void;
  #began: number;
  #lastByte: number | undefined;
  #lastNews: number;
  /** When the reader last got an event, a heartbeat included. */
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

  /** The reader asks for bytes: from here on silence counts against the service. */
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

  /** The reader got events to work on. Until it calls `wait` again only `totalMs` runs. */
  pause(): void {
    this.#pausedAt ??= this.#options.now();
    this.#arm();
  }

  /** Bytes came. `isNews`: they held an event, not only a ping or a comment. */
  byte(isNews: boolean): void {
    const time = this.#options.now();
    const isFirst = this.#lastByte === undefined;
    this.#lastByte = time;
    if (isNews || isFirst) this.#lastNews = time;
    if (isNews) this.#toldAt = time;
    if (isFirst) this.#arm();
  }

  /** Whether to tell the reader that the service lives: for a second or more only pings came. */
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

  /** The signal for `fetch`. It is not the caller's own: `fetch` leaves a listener there, and a signal that lives as long as the program would collect one for each request. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it was cut, if it was. */
  failure(): MullError | undefined {
    return this.#failure;
  }

  /**
   * Calls `run` once when it is cut. A later `onCut` or `race` replaces this one. The trap: written
   * as `this.#stop = () => …`, V8 makes the function an old object at once, and it would keep all that
   * its request holds in memory until the next major collection.
   */
  onCut(run: () => void): void {
    this.#stop = run;
  }

  /** Settles as `work` does, or rejects when it is cut. A value that comes after that goes to `discard`, e.g. a response whose body must be cancelled. */
  race<T>(work: Promise<T>, discard?: (late: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onCut(() => reject(this.#failure));
      if (this.#failure !== undefined) reject(this.#failure);
      work.then(
        (value) => (this.#failure === undefined ? resolve(value) : discard?.(value)),
        reject,
      );
    });
  }

  /** Stops the timer and leaves the caller's signal; the connection stays open. May be called twice. */
  release(): void {
    this.deadline.clear();
    this.#unfollow?.();
  }

  /** `release`, and the connection is closed too. */
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
