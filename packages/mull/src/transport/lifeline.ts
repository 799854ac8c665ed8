import type { MullError } from "../types/error.ts";
import { Deadline, type DeadlineOptions } from "./deadline.ts";
import { abortFailure, type Peer, timeoutFailure } from "./failure.ts";

/** What keeps one attempt alive, and what ends it: the caller's signal or one of our clocks. */
export interface Lifeline {
  /** For `fetch`. The caller's signal never gets there: a listener on it would stay. */
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  /** Why it was cut, if it was. */
  readonly failure: () => MullError | undefined;
  /** Called at most once, when it is cut. Replaces the one set before. */
  readonly onCut: (run: () => void) => void;
  /** Settles as `work` does, or rejects when it is cut; what comes too late is for `discard`. */
  readonly race: <T>(work: Promise<T>, discard?: (late: T) => void) => Promise<T>;
  /** Lets go of clock and listener. Idempotent. */
  readonly release: () => void;
  /** Releases, and closes the connection. */
  readonly close: () => void;
}

export interface LifelineOptions extends DeadlineOptions {
  readonly signal: AbortSignal | undefined;
  readonly peer: Peer;
}

export function createLifeline(options: LifelineOptions): Lifeline {
  const { signal, peer } = options;
  const controller = new AbortController();
  let failure: MullError | undefined;
  let stop: (() => void) | undefined;

  const cut = (reason: MullError): void => {
    failure = reason;
    release();
    controller.abort(reason);
    stop?.();
  };
  const onAbort = (): void => cut(abortFailure(signal?.reason, peer));
  const release = (): void => {
    deadline.clear();
    signal?.removeEventListener("abort", onAbort);
  };
  const deadline = new Deadline(options, (name, ms) => cut(timeoutFailure(name, ms, peer)));

  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener("abort", onAbort);

  return {
    signal: controller.signal,
    deadline,
    failure: () => failure,
    onCut: (run) => {
      stop = run;
    },
    race: (work, discard) =>
      new Promise((resolve, reject) => {
        stop = () => reject(failure);
        if (failure !== undefined) stop();
        work.then((value) => (failure === undefined ? resolve(value) : discard?.(value)), reject);
      }),
    release,
    close: () => {
      release();
      controller.abort();
    },
  };
}
