import { sleepFor } from "../transport/deadline.ts";
import { type Peer, protocolFailure, rebuildError } from "../transport/failure.ts";
import { isRetryable, waitBeforeRetry } from "../transport/retry.ts";
import { createScrubber } from "../transport/scrub.ts";
import { SseSplitter, stepThrough } from "../transport/sse.ts";
import { isMullError, type MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { Fetch } from "../types/http.ts";
import { efforts, type Model, type ThinkingTraits } from "../types/model.ts";
import type { ThinkingSetting } from "../types/plan.ts";
import type { WireRequest } from "../types/request.ts";
import type { StreamDecoder, Wire } from "../types/wire.ts";
import { newCallId } from "./call-id.ts";
import { joinHeaders } from "../wire/common/headers.ts";
import { writeBody } from "./write-body.ts";
import { brokenLink, createLink, type Link } from "./lean-link.ts";

/** A provider's wire, address and key, and a model id. Nothing is looked up. */
export interface LeanTarget {
  readonly wire: Wire;
  readonly baseUrl: string;
  /** The key among them. Their values never appear in an error. */
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the provider, for origins and errors. Default: the wire's id. */
  readonly provider?: string;
  /** Where the model differs from one that takes everything: fields of its row. */
  readonly model?: Partial<Model>;
}

/** A request for `streamTurn`. */
export interface LeanRequest extends Omit<WireRequest, "stream" | "show" | "thinking"> {
  /** Sent as it is. Default: the service decides. */
  readonly thinking?: ThinkingSetting;
  readonly show?: WireRequest["show"];
}

/** How `streamTurn` sends a request. */
export interface LeanOptions {
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal;
  /** Default 3. */
  readonly maxAttempts?: number;
  /** Longest silence, before the answer and within it. Default 15 minutes. */
  readonly silenceMs?: number;
  readonly random?: () => number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly newId?: () => string;
}

const longestWaitMs = 60_000;
const streamTypes = /event-stream|json|^$/;

/**
 * Sends one request and streams the answer. It encodes, sends, retries while the service is busy,
 * and decodes; it makes no plan, no prepared history, no rule checks and no receipt.
 */
export async function* streamTurn(
  target: LeanTarget,
  request: LeanRequest,
  options: LeanOptions = {},
): AsyncGenerator<StreamEvent, undefined, undefined> {
  const { wire, baseUrl, headers, provider = wire.id } = target;
  const { host, origin: endpoint } = new URL(baseUrl);
  const peer = { host, provider, scrub: createScrubber(Object.values(headers)) };
  const link = createLink(options.signal, options.silenceMs ?? 900_000, peer);
  const decoder = wire.decodeStream({
    origin: { wire: wire.id, provider, endpoint, model: request.model },
    now: options.clock ?? Date.now,
    newId: options.newId ?? newCallId,
  });
  let hasBegun = false;
  try {
    const body = await ask(target, request, options, link, peer);
    for await (const batch of readBatches(body, decoder, link)) {
      hasBegun = true;
      yield* batch;
    }
    return undefined;
  } catch (thrown) {
    const loss = link.failure() ?? (isMullError(thrown) ? undefined : brokenLink(thrown, peer));
    const isCut = loss !== undefined && loss.category !== "aborted";
    const rest = isCut && hasBegun ? endOf(decoder) : undefined;
    if (rest !== undefined) return yield* rest;
    const error = loss ?? (thrown as MullError);
    const partial = error.partial ?? (hasBegun ? decoder.partial() : undefined);
    throw rebuildError(error, peer, { partial });
  } finally {
    link.close();
  }
}

/** The last events of an answer that is whole, however its connection ended. */
function endOf(decoder: StreamDecoder): readonly StreamEvent[] | undefined {
  const events: StreamEvent[] = [];
  try {
    decoder.end(events);
    return events;
  } catch {
    return undefined;
  }
}

/** The events of each network chunk; what a chunk held before it went wrong comes first. */
async function* readBatches(
  body: ReadableStream<Uint8Array>,
  decoder: StreamDecoder,
  link: Link,
): AsyncGenerator<readonly StreamEvent[], undefined, undefined> {
  const reader = body.getReader();
  const text = new TextDecoder();
  let batch: StreamEvent[] = [];
  const take = (data: string, event?: string): void => {
    if (data && !decoder.finished()) decoder.push(data, event, batch);
  };
  const splitter = new SseSplitter({ onFrame: take });
  // A bare JSON object behind the events: the service's word on why they stopped.
  let bare = "";
  const decode = (chunk: Uint8Array | undefined): void => {
    if (chunk) {
      const rest = bare ? 0 : stepThrough(splitter, chunk, 0);
      bare += text.decode(chunk.subarray(rest), { stream: true });
      return;
    }
    splitter.end();
    take(bare);
    if (!decoder.finished()) decoder.end(batch);
  };
  while (!decoder.finished()) {
    const { value } = await link.within(reader.read());
    batch = [];
    try {
      decode(value);
    } finally {
      // oxlint-disable-next-line no-unsafe-finally -- a yield does not swallow what was thrown
      yield batch;
    }
  }
}

/** Sends until there is an answer. A service that is busy is asked again, no sooner than it says. */
async function ask(
  target: LeanTarget,
  request: LeanRequest,
  options: LeanOptions,
  link: Link,
  peer: Peer,
): Promise<ReadableStream<Uint8Array>> {
  const { wire, baseUrl, headers } = target;
  const thinking = request.thinking ?? { type: "default" };
  const encoded = wire.encode(
    { show: "auto", ...request, thinking, stream: true },
    { model: rowOf(target, request.model, thinking) },
  );
  const url = baseUrl.replace(/\/+$/, "") + encoded.path;
  const init: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json", ...joinHeaders(encoded.headers, headers) },
    body: writeBody(encoded.body, request.messages),
    // Following a redirect would carry the key to another host.
    redirect: "manual",
    signal: link.signal,
  };
  for (let retry = 0; ; retry++) {
    const answer = await attempt(url, init, options.fetch ?? fetch, target.wire, link, peer);
    if (!isMullError(answer)) return answer;
    const wait = waitBeforeRetry(answer, retry, options.random ?? Math.random);
    const isLast = retry + 1 >= (options.maxAttempts ?? 3) || wait > longestWaitMs;
    if (!answer.retryable || isLast) throw answer;
    // The service said when to come back: until then it is not silent.
    await link.within(sleepFor(wait, link.signal), Infinity);
  }
}

async function attempt(
  url: string,
  init: RequestInit,
  fetch: Fetch,
  wire: Wire,
  link: Link,
  peer: Peer,
): Promise<ReadableStream<Uint8Array> | MullError> {
  let response: Response;
  try {
    response = await link.within(fetch(url, init));
  } catch (thrown) {
    return link.failure() ?? brokenLink(thrown, peer);
  }
  const { status, body: stream } = response;
  const headers = Object.fromEntries(response.headers);
  if (response.ok && stream && streamTypes.test(headers["content-type"] ?? "")) return stream;
  if (status < 400) {
    const what = `${peer.host} answered ${status} without a stream. Is the base URL right?`;
    return protocolFailure("not_a_stream", what, peer, { status });
  }
  const body = await link.within(response.text());
  const error = wire.decodeError({ status, headers, body }, peer.provider ?? wire.id);
  const retryable = isRetryable(status, error.category, headers["x-should-retry"]);
  return rebuildError(error, peer, { status, retryable });
}

/** A row for a model that takes what is asked of it. */
const rowOf = (target: LeanTarget, id: string, thinking: ThinkingSetting): Model => ({
  id,
  provider: target.provider ?? target.wire.id,
  wire: target.wire.id,
  thinking: traitsFor(thinking),
  shows: "summary",
  sampling: "free",
  toolChoice: "free",
  replay: "sealed",
  status: "current",
  ...target.model,
});

const traitsFor = (thinking: ThinkingSetting): ThinkingTraits =>
  thinking.type === "budget"
    ? { kind: "budget", min: 0, max: thinking.tokens, off: "omit", efforts }
    : thinking.type === "level"
      ? { kind: "level", levels: [thinking.level], off: "omit" }
      : { kind: "effort", efforts, off: "disabled" };
