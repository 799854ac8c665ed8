import { Duplex } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Fetch } from "mull";

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
  let body: Body | undefined;
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
      body = createBody(resume, (reason) => abort?.(reason));
      const headers = new Headers(headersOf(raw));
      const stream = bodiless.has(status) ? null : unpacked(body.stream, headers);
      resolve(new Response(stream, { status, headers }));
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

function unpacked(packed: ReadableStream<Uint8Array>, headers: Headers): ReadableStream {
  const create = unpackers.get(headers.get("content-encoding")?.toLowerCase() ?? "identity");
  return create === undefined
    ? packed
    : packed.pipeThrough(Duplex.toWeb(create()) as TransformStream);
}

interface Body {
  readonly stream: ReadableStream<Uint8Array>;
  /** `false`: nobody has read what came before. */
  readonly push: (chunk: Uint8Array) => boolean;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
}

const mostUnread = 262_144;

/** Hands out all that came together at once: services write a chunk an event, and readers pay by the chunk. */
function createBody(resume: () => void, abort: (reason: unknown) => void): Body {
  let unread: Uint8Array[] = [];
  let bytes = 0;
  let isLeft = false;
  /** What follows the last byte. */
  let finish: (() => void) | undefined;
  let into: ReadableStreamDefaultController<Uint8Array>;
  let giveOn: (() => void) | undefined;

  const give = (): void => {
    if (giveOn === undefined) return;
    if (bytes > 0) {
      into.enqueue(unread.length === 1 ? unread[0]! : Buffer.concat(unread, bytes));
      const wasFull = bytes >= mostUnread;
      unread = [];
      bytes = 0;
      if (wasFull) resume();
    } else if (finish === undefined) return;
    else finish();
    giveOn();
    giveOn = undefined;
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        into = controller;
      },
      pull: () =>
        new Promise((resolve) => {
          giveOn = resolve;
          give();
        }),
      cancel(reason) {
        isLeft = true;
        giveOn = undefined;
        abort(reason ?? new Error("nobody reads the answer"));
      },
    },
    { highWaterMark: 0 },
  );

  return {
    stream,
    push(chunk) {
      if (isLeft) return true;
      if (bytes === 0) queueMicrotask(give);
      unread.push(chunk);
      bytes += chunk.length;
      return bytes < mostUnread;
    },
    end() {
      finish = () => into.close();
      give();
    },
    fail(error) {
      finish = () => into.error(error);
      give();
    },
  };
}

function headersOf(raw: readonly Buffer[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    headers.push([raw[at]!.toString("latin1"), raw[at + 1]!.toString("latin1")]);
  }
  return headers;
}
