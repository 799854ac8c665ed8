import {
  type ErrorCategory,
  invalidArgument,
  isMullError,
  type MullError,
} from "../types/error.ts";
import type { Fetch, HttpFailure } from "../types/http.ts";
import type { Attempt } from "../types/plan.ts";
import {
  type HttpAnswer,
  checkAnswer,
  headFailure,
  type Post,
  type Posted,
  type PostInit,
  postInit,
  readBriefly,
  readFailure,
  requestIdOf,
  type SentResponse,
} from "./answer.ts";
import {
  Lifeline,
  monotonicNow,
  type Schedule,
  schedule,
  sleepFor,
  type DeadlineLimits,
  type TimeLimits,
  timeLimits,
} from "./deadline.ts";
import {
  connectionFailure,
  createScrubber,
  isRedirect,
  type RemotePeer,
  rebuildError,
  type Scrub,
} from "./failure.ts";

/** A request to send, and how to read its answer. */
export interface SendRequest extends Posted {
  /** Turns a refusal into an error: the wire's `decodeError`. */
  readonly decodeError: (failure: HttpFailure) => MullError;
  readonly provider?: string;
  /** Values that must not appear in any text that leaves. */
  readonly secrets?: readonly string[];
  /** The model may think before it says anything: longer default limits. */
  readonly mayThink?: boolean;
  /** Filled with every attempt, also when the call fails. */
  readonly attempts?: Attempt[];
  readonly retryBudget?: RetryBudget | undefined;
  /** Posts if the caller brings no `fetch`. Default: the runtime's `fetch`. */
  readonly post?: Post | undefined;
}

/** The options of `send`. The object may hold other fields. */
export interface SendOptions {
  /** Used for every attempt. Default: the runtime's own; on Node, the client underneath its `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** An undici dispatcher for the runtime's `fetch`, e.g. a proxy agent. */
  readonly dispatcher?: object | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: TimeLimits | undefined;
  /** Default 3. */
  readonly maxAttempts?: number | undefined;
  /** Longest wait a service may ask for; above it the call fails at once. Default 60 s. */
  readonly maxWaitMs?: number | undefined;
  /** A clock in milliseconds that never jumps. */
  readonly now?: (() => number) | undefined;
  /** Waits before the next attempt; `error` is why the last one failed. */
  readonly sleep?:
    | ((ms: number, signal: AbortSignal, error: MullError) => Promise<void>)
    | undefined;
  readonly schedule?: Schedule | undefined;
  readonly random?: (() => number) | undefined;
}

/** What `send` returns: an answer with its time limits and the attempts it took. */
export interface PatientResponse extends SentResponse {
  readonly attempts: readonly Attempt[];
  readonly lifeline: Lifeline;
  readonly idleMs: number;
}

/** One call: what all its attempts share. */
interface SendCall {
  readonly request: SendRequest;
  readonly options: SendOptions;
  readonly peer: RemotePeer;
  readonly limits: DeadlineLimits;
  readonly now: () => number;
  readonly startedAt: number;
  readonly attempts: Attempt[];
}

/**
 * Sends a request, retries if allowed, and returns when the headers of a 2xx have arrived. All
 * network traffic goes through it; redirects are not followed.
 */
export async function send(
  request: SendRequest,
  options: SendOptions = {},
): Promise<PatientResponse> {
  const now = options.now ?? monotonicNow;
  checkPatience(options);
  const scrub = createScrubber(request.secrets ?? []);
  return attemptUntilAnswered({
    request,
    options,
    now,
    peer: { host: checkRequest(request, scrub), scrub, provider: request.provider },
    limits: timeLimits(options.limits, request.mayThink ?? false),
    startedAt: now(),
    attempts: request.attempts ?? [],
  });
}

/** `NaN` is neither above nor below anything: with `maxAttempts: NaN` the retries would never end. */
function checkPatience({ maxAttempts = 1, maxWaitMs = 0 }: SendOptions): void {
  if (!(maxAttempts >= 1)) throw invalidArgument("maxAttempts", maxAttempts, "a number from 1");
  if (!(maxWaitMs >= 0)) throw invalidArgument("maxWaitMs", maxWaitMs, "milliseconds from 0");
}

/** Returns the host. Refuses what `fetch` would report as a lost connection with the key in its text, e.g. a key with a line break. */
function checkRequest(request: SendRequest, scrub: Scrub): string {
  const { url } = request;
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw invalidArgument("url", scrub(url), "an http or https address");
  for (const name of Object.keys(request.headers)) {
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(request.headers[name]!)) {
      throw invalidArgument(`header ${name}`, "the value given", "Latin-1 without line breaks");
    }
  }
  return new URL(url).host;
}

async function attemptUntilAnswered(call: SendCall, failed?: MullError): Promise<PatientResponse> {
  let error = failed;
  for (;;) {
    const waitedMs = error === undefined ? undefined : await waitForRetry(call, error);
    const outcome = await attempt(call);
    const { attempts } = call;
    const waited = waitedMs !== undefined && { waitedMs };
    if (!isMullError(outcome)) {
      attempts.push({ status: outcome.status, ...waited });
      call.request.retryBudget?.refill();
      return outcome;
    }
    const { status } = outcome;
    attempts.push({
      ...(status !== undefined && { status }),
      error: outcome.code ?? outcome.category,
      ...waited,
    });
    if (!outcome.retryable || outcome.category === "timeout") throw outcome;
    error = outcome;
  }
}

/** Waits before the next attempt, or throws `error` when there is to be none. */
async function waitForRetry(call: SendCall, error: MullError): Promise<number> {
  const { options, attempts, now } = call;
  if (attempts.length >= (options.maxAttempts ?? 3)) throw error;
  if ((error.retryAfterMs ?? 0) > (options.maxWaitMs ?? 60_000)) throw error;
  const ms = Math.round(waitBeforeRetry(error, attempts.length - 1, options.random ?? Math.random));
  if (now() + ms - call.startedAt >= call.limits.totalMs) throw error;
  if (call.request.retryBudget?.take() === false) throw error;
  const lifeline = openLifeline(call, { ...call.limits, firstByteMs: Infinity });
  try {
    await lifeline.race((options.sleep ?? sleepFor)(ms, lifeline.signal, error));
  } finally {
    lifeline.close();
  }
  return ms;
}

const openLifeline = (call: SendCall, limits: DeadlineLimits): Lifeline =>
  new Lifeline({
    signal: call.options.signal,
    limits,
    startedAt: call.startedAt,
    now: call.now,
    schedule: call.options.schedule ?? schedule,
    peer: call.peer,
  });

/**
 * How `fetch` is told not to follow redirects. With "manual" Node copies the whole request in case it
 * has to be sent again, so there it is "error". Browsers need "manual": their error for a redirect is
 * the same "Failed to fetch" as for a lost connection.
 */
const quickRedirect: RequestRedirect = "process" in globalThis ? "error" : "manual";

/** One attempt. Returns an error that may be retried or not; throws when the caller's time is up. */
async function attempt(
  call: SendCall,
  redirect = quickRedirect,
): Promise<PatientResponse | MullError> {
  const { request, options, peer } = call;
  const lifeline = openLifeline(call, call.limits);
  const aborted = lifeline.failure();
  if (aborted !== undefined) throw aborted;
  try {
    const response = await lifeline.race(
      startPost(request, options, postInit(request, redirect, lifeline.signal)),
      (late) => void late.body?.cancel().catch(() => undefined),
    );
    checkAnswer(response, peer);
    const wrong = headFailure(response, request.url, peer);
    if (response.ok && wrong === undefined) return opened(response, call, lifeline);
    const error = await lifeline.race(readRefusal(response, wrong, call));
    // Released, not closed: the refusal was read to its end, so the connection can be used again.
    lifeline.release();
    return error;
  } catch (thrown) {
    lifeline.close();
    const failure = lifeline.failure();
    if (failure?.category === "aborted") throw failure;
    if (failure === undefined && isMullError(thrown)) throw rebuildError(thrown, peer);
    // Node's error does not say where the redirect leads; an answer that was not followed does.
    if (redirect === "error" && isRedirect(thrown)) return attempt(call, "manual");
    return failure ?? connectionFailure(thrown, peer);
  }
}

const startPost = (
  { url, post = fetch }: SendRequest,
  { fetch: given, dispatcher }: SendOptions,
  init: PostInit,
): Promise<HttpAnswer> =>
  (given ?? post)(url, dispatcher === undefined ? init : { ...init, dispatcher });

async function readRefusal(
  response: HttpAnswer,
  wrong: MullError | undefined,
  { request, options, peer }: SendCall,
): Promise<MullError> {
  if (wrong !== undefined) {
    await response.body?.cancel();
    return wrong;
  }
  const http = await readFailure(response, options.schedule ?? schedule);
  const error = request.decodeError(http);
  return rebuildError(error, peer, {
    status: http.status,
    retryable: isRetryable(http.status, error.category, http.headers["x-should-retry"]),
    requestId: error.requestId ?? requestIdOf(response.headers),
  });
}

/** Most services end the body a moment after the terminal event, and then the connection can be used again. */
const graceMs = 250;

/** Whether a retry may help. Not after a timeout: the caller's limit would be waited for twice. */
const isEarlyFailure = (error: MullError): boolean =>
  (error.retryable || error.code === "truncated") &&
  error.category !== "timeout" &&
  error.category !== "quota";

function opened(response: HttpAnswer, call: SendCall, lifeline: Lifeline): PatientResponse {
  const { attempts } = call;
  const own = attempts.length;
  return {
    status: response.status,
    headers: response.headers,
    body:
      response.body ??
      new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }),
    attempts,
    peer: call.peer,
    explain: (thrown) => connectionFailure(thrown, call.peer),
    lifeline,
    idleMs: call.limits.idleMs,
    readRest: (bytes) => void readBriefly(bytes, graceMs, schedule),
    again: async (error) => {
      if (!isEarlyFailure(error)) throw error;
      attempts[own] = { ...attempts[own], error: error.code ?? error.category };
      return attemptUntilAnswered(call, error);
    },
  };
}

/**
 * Limits retries while a service is down. Each retry takes a token, each success returns half of
 * one. Share one budget among the calls of a client.
 */
export interface RetryBudget {
  readonly take: () => boolean;
  readonly refill: () => void;
}

/** Makes a retry budget that starts with this many retries. */
export function createRetryBudget(capacity = 10): RetryBudget {
  if (!Number.isFinite(capacity)) throw invalidArgument("capacity", capacity, "a number");
  let tokens = capacity;
  return {
    take: () => {
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
    refill: () => {
      tokens = Math.min(capacity, tokens + 0.5);
    },
  };
}

const mostPlaces = 1000;

/** Keeps one budget for each address; the oldest is forgotten first. */
export function createBudgets(): (place: string) => RetryBudget {
  const known = new Map<string, RetryBudget>();
  return (place) => {
    const budget = known.get(place) ?? createRetryBudget();
    if (known.size >= mostPlaces && !known.has(place)) known.delete(known.keys().next().value!);
    known.set(place, budget);
    return budget;
  };
}

const retryStatuses: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504, 529]);

/** Never retried, whatever the status: a 429 may also mean that the account is empty or the request too large. */
const finalCategories: ReadonlySet<ErrorCategory> = new Set([
  "quota",
  "auth",
  "permission",
  "invalid_argument",
  "not_found",
  "context_overflow",
  "content_filter",
]);

/**
 * Whether a failure may be retried. `x-should-retry` beats the status, but not an empty account or
 * a request larger than a minute's allowance: "Request too large … on tokens per min".
 */
export function isRetryable(
  status: number,
  category: ErrorCategory,
  shouldRetry?: string,
): boolean {
  if (category === "quota" || (status === 429 && category === "invalid_argument")) return false;
  if (shouldRetry === "true" || shouldRetry === "false") return shouldRetry === "true";
  return retryStatuses.has(status) && !finalCategories.has(category);
}

const firstBackoffMs = 500;
const longestBackoffMs = 8000;

/**
 * How long to wait before retry number `retry` (from 0): what the service asks for plus at most a
 * tenth, else a random time up to a growing limit, so that clients fall out of step.
 */
function waitBeforeRetry(error: MullError, retry: number, random: () => number): number {
  const asked = error.retryAfterMs;
  if (asked !== undefined) return asked * (1 + random() * 0.1);
  return random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry);
}
