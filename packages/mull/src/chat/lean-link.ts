import { schedule } from "../transport/deadline.ts";
import { abortFailure, type Peer } from "../transport/failure.ts";
import { onAbort } from "../transport/on-abort.ts";
import { MullError } from "../types/error.ts";

/** What ends a lean turn early: the caller's signal, or silence. */
export interface Link {
  readonly signal: AbortSignal;
  /** Why it was cut, if it was. */
  readonly failure: () => MullError | undefined;
  /** Settles as `work` does. Rejects when the link is cut or nothing comes within `limitMs`. */
  readonly within: <T>(work: Promise<T>, limitMs?: number) => Promise<T>;
  /** Lets go of everything and closes the connection. */
  readonly close: () => void;
}

export function createLink(signal: AbortSignal | undefined, silenceMs: number, peer: Peer): Link {
  const controller = new AbortController();
  let failure: MullError | undefined;
  let reject: ((error: MullError) => void) | undefined;
  const cut = (error: MullError): void => {
    failure ??= error;
    controller.abort(failure);
    reject?.(failure);
  };
  const stop = (): void => cut(abortFailure(signal?.reason, peer));
  if (signal?.aborted) stop();
  const unfollow = signal && onAbort(signal, stop);
  return {
    signal: controller.signal,
    failure: () => failure,
    within: (work, limitMs = silenceMs) =>
      new Promise((resolve, refuse) => {
        const cancelTimer = schedule(() => cut(silence(limitMs, peer)), limitMs);
        reject = (error) => {
          cancelTimer();
          refuse(error);
        };
        if (failure) reject(failure);
        void work.then(resolve, refuse).finally(cancelTimer);
      }),
    close: () => {
      unfollow?.();
      controller.abort();
    },
  };
}

const silence = (ms: number, { host, provider }: Peer): MullError =>
  new MullError(`${host} was silent for ${ms} ms.`, {
    category: "timeout",
    code: "silenceMs",
    retryable: true,
    provider,
  });

/** `fetch` or a body threw. Nothing of it is repeated: it may quote addresses and headers. */
export const brokenLink = (thrown: unknown, peer: Peer): MullError => {
  const cause = thrown instanceof Error && Object(thrown.cause ?? thrown);
  const code = typeof cause.code === "string" ? cause.code : undefined;
  return new MullError(`${peer.host}: the connection failed${code ? ` (${code})` : ""}.`, {
    category: "network",
    retryable: true,
    code,
    provider: peer.provider,
  });
};
