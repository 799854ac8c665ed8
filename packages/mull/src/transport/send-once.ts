import { MullError } from "../types/error.ts";
import type { Fetch, HttpFailure } from "../types/http.ts";
import { type Posted, postInit, type SentResponse } from "./answer.ts";
import { abortFailure, createScrubber, rebuildError } from "./failure.ts";

/** A request to send once, and how to read a refusal. */
export interface SendOnceRequest extends Posted {
  readonly provider: string;
  /** Values that must not appear in any text that leaves. */
  readonly secrets: readonly string[];
  /** Turns a refusal into an error: the wire's `decodeError`. */
  readonly decodeError: (failure: HttpFailure) => MullError;
}

/** The options of `sendOnce`. */
export interface SendOnceOptions {
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request once and returns when the head of a good answer is there: `send` without retries
 * and time limits. Callers who want those bring them in `fetch` and `signal`, e.g. `AbortSignal.timeout(60_000)`.
 */
export async function sendOnce(
  request: SendOnceRequest,
  { fetch: post = fetch, signal = new AbortController().signal }: SendOnceOptions,
): Promise<SentResponse> {
  const { provider, url } = request;
  const peer = { host: new URL(url).host, provider, scrub: createScrubber(request.secrets) };
  const explain = (thrown: unknown): MullError =>
    signal.aborted
      ? abortFailure(signal.reason, peer)
      : new MullError(
          `${peer.host}: the connection failed.`,
          { category: "network", retryable: true, provider },
          { cause: new Error(peer.scrub(String(thrown))) },
        );
  let answer: Response;
  let refusal = "";
  try {
    signal.throwIfAborted();
    // Following a redirect would carry key and prompt to another host.
    answer = await post(url, postInit(request, "error", signal));
    if (!answer.ok) refusal = await answer.text();
  } catch (thrown) {
    throw explain(thrown);
  }
  const { ok, status, headers, body } = answer;
  if (ok && body !== null) return { status, headers, body, peer, explain };
  const failure = { status, headers: Object.fromEntries(headers), body: refusal };
  throw rebuildError(request.decodeError(failure), peer);
}
