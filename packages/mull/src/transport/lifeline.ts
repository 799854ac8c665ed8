import type { MullError } from "../types/error.ts";
import { Deadline, type DeadlineOptions } from "./deadline.ts";
import { abortFailure, type Peer, timeoutFailure, unreadFailure } from "./failure.ts";
import { onAbort } from "./on-abort.ts";

export interface LifelineOptions extends DeadlineOptions {
  readonly signal: AbortSignal | undefined;
  readonly peer: Peer;
}

/** What keeps one attempt alive, and what ends it: the caller's signal or one of our clocks. */
export class Lifeline {
  readonly deadline: Deadline;
  readonly #controller = new AbortController();
  readonly #unfollow: (() => void) | undefined;
  #failure: MullError | undefined;
  #isUnread = false;
  #stop: (() => void) | undefined;

  constructor(options: LifelineOptions) {
    const { signal, peer } = options;
    this.deadline = new Deadline(options, (name, ms, isUnread) => {
      this.#isUnread = isUnread;
      this.#cut(isUnread ? unreadFailure(ms, peer) : timeoutFailure(name, ms, peer));
    });
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

  /** Whether it was cut because nobody took what had come. */
  isUnread(): boolean {
    return this.#isUnread;
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
