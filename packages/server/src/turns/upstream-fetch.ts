import { Duplex } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Fetch } from "mull";
import { AnswerBytes, toByteStream, type ByteReader } from "./answer-bytes.ts";

/** What is used of the client that Node's own `fetch` sits on. */
interface Dispatcher {
  readonly dispatch: (options: DispatchOptions, handler: DispatchHandler) => boolean;
}

interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

interface DispatchHandler {
  readonly onConnect: (abort: (reason: unknown) => void) => void;
  readonly onHeaders: (status: number, raw: readonly Buffer[], resume: () => void) => boolean;
  readonly onData: (chunk: Uint8Array) => boolean;
  readonly onComplete: () => void;
  readonly onError: (error: unknown) => void;
}

const globalDispatcher = Symbol.for("undici.globalDispatcher.1");
/** Clients whose handlers are these; any other is used through `fetch`. */
const knownClient = /^[67]\./;
/** Statuses that `Response` takes no body with. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
/** Plain text is asked for; what stands between may compress it all the same. */
const unpackers: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * `fetch` for the one kind of request that turns make: a text is posted, redirects are not followed,
 * and there is no limit of silence but the caller's. It does without the copies and streams that
 * the whole of `fetch` makes for every request, which cost as much as all else in a short turn.
 * Its answers have what mull reads of a `Response` and not the rest: for `upstream`, not for others.
 * `undefined` where the client underneath is not one we know.
 */
export function upstreamFetch(scope: object = globalThis): Fetch | undefined {
  // Node loads its client when one of its classes is first touched.
  Reflect.get(scope, "Headers");
  const dispatcher: unknown = Reflect.get(scope, globalDispatcher);
  return isDispatcher(dispatcher) && knownClient.test(process.versions["undici"] ?? "")
    ? (url, init) => post(dispatcher, new URL(url), init)
    : undefined;
}

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Partial<Dispatcher>).dispatch === "function";

const post = (dispatcher: Dispatcher, url: URL, init: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    const options: DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: "POST",
      headers: { ...(init.headers as Record<string, string>), "accept-encoding": "identity" },
      body: init.body as string,
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    dispatcher.dispatch(options, createHandler(init.signal ?? undefined, resolve, reject));
  });

function createHandler(
  signal: AbortSignal | undefined,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): DispatchHandler {
  let body: AnswerBytes | undefined;
  let abort: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => abort?.(signal?.reason);
  const settle = (): void => signal?.removeEventListener("abort", onAbort);
  return {
    onConnect(cut) {
      abort = cut;
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort);
    },
    onHeaders(status, raw, resume) {
      // What is only on the way is not the answer yet.
      if (status < 200) return true;
      body = new AnswerBytes(resume, (reason) => abort?.(reason));
      resolve(answerOf(status, readHeaders(raw), body));
      return true;
    },
    onData: (chunk) => body!.push(chunk),
    onComplete() {
      settle();
      body?.end();
    },
    onError(error) {
      settle();
      const cause = { cause: error };
      if (body === undefined) reject(new TypeError("fetch failed", cause));
      else body.fail(new TypeError("terminated", cause));
    },
  };
}

function answerOf(
  status: number,
  headers: ReadonlyMap<string, string>,
  bytes: AnswerBytes,
): Response {
  const encoding = headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (status === 200 && encoding === "identity") return leanAnswer(headers, bytes);
  const body = bodiless.has(status) ? null : unpacked(toByteStream(bytes), encoding);
  return new Response(body, { status, headers: [...headers] });
}

/** What is read of an answer that streams. All that a `Response` is beside takes longer than a short answer. */
function leanAnswer(headers: ReadonlyMap<string, string>, bytes: AnswerBytes): Response {
  const answer: StreamedAnswer = {
    ok: true,
    status: 200,
    type: "basic",
    headers: {
      get: (name) => headers.get(name.toLowerCase()) ?? null,
      has: (name) => headers.has(name.toLowerCase()),
    },
    body: { getReader: () => bytes, cancel: (reason) => bytes.cancel(reason) },
  };
  return answer as unknown as Response;
}

interface StreamedAnswer extends Pick<Response, "ok" | "status" | "type"> {
  readonly headers: Pick<Headers, "get" | "has">;
  readonly body: { readonly getReader: () => ByteReader; readonly cancel: ByteReader["cancel"] };
}

function unpacked(packed: ReadableStream<Uint8Array>, encoding: string): ReadableStream {
  const create = unpackers.get(encoding);
  return create === undefined
    ? packed
    : packed.pipeThrough(Duplex.toWeb(create()) as TransformStream);
}

/** Names in lower case; values of one name are one, as in `Headers`. */
function readHeaders(raw: readonly Buffer[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toString("latin1").toLowerCase();
    const value = raw[at + 1]!.toString("latin1");
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}
