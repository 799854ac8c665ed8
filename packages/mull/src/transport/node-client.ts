import type { HttpAnswer, AnswerBody, ByteReader, Post, PostInit, ReadStep } from "./answer.ts";
import { patientDispatcher } from "./lift-limits.ts";

/** The part of an undici agent that is used. Undici is the client inside Node on which its `fetch` is built. */
interface Dispatcher {
  readonly dispatch: (options: DispatchOptions, handler: PostHandler) => boolean;
}

interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What undici gives its handlers from version 7 on. */
interface Controller {
  readonly abort: Abort;
  readonly pause: () => void;
  readonly resume: () => void;
}

type Abort = (reason: unknown) => void;
type RawHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Node's `Buffer`, as far as it is used: the library is compiled without Node's types. */
interface NodeBuffer {
  toString(encoding: "latin1"): string;
}

interface ProcessVersions {
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly getBuiltinModule: (name: string) => unknown;
}

interface NodeZlib {
  readonly createGunzip: () => unknown;
  readonly createInflate: () => unknown;
  readonly createBrotliDecompress: () => unknown;
}

interface NodeStream {
  readonly Duplex: { readonly toWeb: (duplex: unknown) => ReadableWritablePair };
}

/** The versions of undici whose callbacks are known. With any other, `fetch` is used. */
const knownClient = /^[678]\./;

/** How to post if the caller gives neither `fetch` nor agent; `undefined` if plain `fetch` does. */
export function runtimePost(): Post | undefined {
  const dispatcher = patientDispatcher();
  if (dispatcher === undefined) return undefined;
  const plain: Post = fetch;
  return nodePost(globalThis, dispatcher) ?? ((url, init) => plain(url, { ...init, dispatcher }));
}

/**
 * Posts through the client underneath Node's own `fetch`, without the copies and streams that the
 * whole of `fetch` makes for every request: they cost more than all that mull does for a short
 * answer. Redirects are not followed, and no silence is too long. `undefined` if the runtime is
 * not Node or its client not one we know, and if somebody has put a `fetch` or an agent of their
 * own in charge: then theirs is to be used.
 */
export function nodePost(
  scope: object = globalThis,
  agent: object | undefined = patientDispatcher(scope),
): Post | undefined {
  if (agent === undefined || !isNodesOwn(Reflect.get(scope, "fetch"))) return undefined;
  if (!isDispatcher(agent) || !knownClient.test(nodeProcess().versions["undici"] ?? "")) {
    return undefined;
  }
  return (url, init) => post(agent, url, init);
}

const nodeProcess = (): ProcessVersions => Reflect.get(globalThis, "process");

/** Whether `fetch` is Node's: the source of a mock, a tracer or a wrapper does not name undici's file. */
const isNodesOwn = (fetch: unknown): boolean =>
  typeof fetch === "function" &&
  Function.prototype.toString.call(fetch).includes("internal/deps/undici");

const isDispatcher = (value: object): value is Dispatcher =>
  typeof (value as Partial<Dispatcher>).dispatch === "function";

const post = (dispatcher: Dispatcher, url: string, init: PostInit): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const { headers, body, signal } = init;
    const { origin, pathname, search } = new URL(url);
    const path = pathname + search;
    const options = { origin, path, method: "POST", headers: sentHeaders(headers), body };
    const isLeftPacked = init.packed === true;
    dispatcher.dispatch(options, new PostHandler(signal, isLeftPacked, resolve, reject));
  });

/** Some firewalls refuse requests without `user-agent`. Compressed events would arrive late, when a block is full. */
function sentHeaders(given: PostInit["headers"]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { "user-agent": "mull", "accept-encoding": "identity" };
  for (const name of Object.keys(given)) headers[name.toLowerCase()] = given[name]!;
  return headers;
}

/**
 * One request, from the connection to the last byte of its answer. Undici 6, the one in Node 20, calls the
 * five methods from `onConnect` to `onError`; later versions call those from `onRequestStart` on.
 */
class PostHandler {
  readonly #signal: AbortSignal;
  readonly #isLeftPacked: boolean;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #body: AnswerBytes | undefined;
  #cut: Abort | undefined;

  constructor(
    signal: AbortSignal,
    isLeftPacked: boolean,
    resolve: (answer: HttpAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#signal = signal;
    this.#isLeftPacked = isLeftPacked;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onConnect(abort: Abort): void {
    this.#cut = abort;
    if (this.#signal.aborted) this.#onAbort();
    else this.#signal.addEventListener("abort", this.#onAbort);
  }

  onHeaders(status: number, raw: readonly NodeBuffer[], resume: () => void): boolean {
    this.#begin(status, () => namedValues(raw), resume);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    return this.#body!.push(chunk);
  }

  onComplete(): void {
    this.#settle();
    this.#body?.end();
  }

  onError(error: unknown): void {
    this.#settle();
    const cause = { cause: error };
    if (this.#body === undefined) this.#reject(new TypeError("fetch failed", cause));
    else this.#body.fail(new TypeError("terminated", cause));
  }

  onRequestStart(controller: Controller): void {
    this.onConnect((reason) => controller.abort(reason));
  }

  onResponseStart(controller: Controller, status: number, headers: RawHeaders): void {
    this.#begin(
      status,
      () => Object.entries(headers).map(([name, value]) => [name, String(value)]),
      () => controller.resume(),
    );
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (!this.onData(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.onComplete();
  }

  onResponseError(_controller: Controller, error: unknown): void {
    this.onError(error);
  }

  readonly #onAbort = (): void => this.#cut?.(this.#signal.reason);

  #begin(status: number, headers: () => NamedValues, resume: () => void): void {
    // 100 and 103 come before the answer itself.
    if (status < 200) return;
    const body = new AnswerBytes(resume, (reason) => this.#cut?.(reason));
    this.#body = body;
    this.#resolve(answerOf(status, joinValues(headers()), body, this.#isLeftPacked));
  }

  #settle(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

const answerOf = (
  status: number,
  headers: ReadonlyMap<string, string>,
  bytes: AnswerBytes,
  isLeftPacked: boolean,
): HttpAnswer => ({
  ok: status < 300,
  status,
  type: "default",
  headers,
  body: isLeftPacked ? bytes : unpacked(bytes, headers.get("content-encoding")?.toLowerCase()),
});

const unpackers: ReadonlyMap<string, keyof NodeZlib> = new Map<string, keyof NodeZlib>([
  ["gzip", "createGunzip"],
  ["deflate", "createInflate"],
  ["br", "createBrotliDecompress"],
]);

/** Unpacks a compressed body. We ask for none, but a proxy may compress anyway. */
function unpacked(bytes: AnswerBytes, encoding: string | undefined): AnswerBody {
  const create = encoding === undefined ? undefined : unpackers.get(encoding);
  if (create === undefined) return bytes;
  const { getBuiltinModule } = nodeProcess();
  const unpacker = (getBuiltinModule("node:zlib") as NodeZlib)[create]();
  const { Duplex } = getBuiltinModule("node:stream") as NodeStream;
  return toByteStream(bytes).pipeThrough(Duplex.toWeb(unpacker));
}

type NamedValues = readonly (readonly [name: string, value: string])[];

/** Undici 6 gives one flat list: name, value, name, value. */
const namedValues = (raw: readonly NodeBuffer[]): NamedValues =>
  Array.from({ length: raw.length >> 1 }, (_, at) => [
    raw[2 * at]!.toString("latin1"),
    raw[2 * at + 1]!.toString("latin1"),
  ]);

/** Names in lower case, and several values of one name joined by a comma, as `Headers` does it. */
function joinValues(named: NamedValues): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [given, value] of named) {
    const name = given.toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

interface Waiting {
  readonly resolve: (step: ReadStep) => void;
  readonly reject: (error: unknown) => void;
}

const mostUnread = 262_144;
/** `soon.then` is a cheaper `queueMicrotask`, which creates an `AsyncResource` for every call. */
const soon = Promise.resolve();
const over: ReadStep = { done: true, value: undefined };

/**
 * The bytes of an answer until they are read. Chunks that came together are handed out as one:
 * services write each event as a chunk of its own, and every read costs a promise. A web stream would
 * do the same for several times the price.
 */
class AnswerBytes implements AnswerBody, ByteReader {
  readonly #resume: () => void;
  readonly #abort: (reason: unknown) => void;
  #unread: Uint8Array[] = [];
  #bytes = 0;
  #waiting: Waiting | undefined;
  #end: "open" | "whole" | "left" | { readonly error: unknown } = "open";

  /** `resume` asks the socket for more; `abort` closes it when the reader leaves. */
  constructor(resume: () => void, abort: (reason: unknown) => void) {
    this.#resume = resume;
    this.#abort = abort;
  }

  /** Returns `false` when too much lies unread, which makes undici pause the socket. */
  push(chunk: Uint8Array): boolean {
    if (this.#end === "left") return true;
    // Undici delivers chunks that came together one after another, before any microtask: so all are taken at once.
    if (this.#bytes === 0 && this.#waiting !== undefined) void soon.then(() => this.#settle());
    this.#unread.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes < mostUnread;
  }

  end(): void {
    if (this.#end === "open") this.#end = "whole";
    this.#settle();
  }

  fail(error: unknown): void {
    if (this.#end === "open") this.#end = { error };
    this.#settle();
  }

  getReader(): this {
    return this;
  }

  /** Await each read before the next: only one can wait. */
  read(): Promise<ReadStep> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#settle();
    });
  }

  async cancel(reason?: unknown): Promise<void> {
    if (this.#end === "open") this.#abort(reason ?? new Error("nobody reads the answer"));
    this.#end = "left";
    this.#unread = [];
    this.#bytes = 0;
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || (this.#bytes === 0 && this.#end === "open")) return;
    this.#waiting = undefined;
    if (this.#bytes > 0) waiting.resolve({ done: false, value: this.#take() });
    else if (typeof this.#end === "string") waiting.resolve(over);
    else waiting.reject(this.#end.error);
  }

  #take(): Uint8Array {
    const unread = this.#unread;
    const bytes = unread.length === 1 ? unread[0]! : joined(unread, this.#bytes);
    const wasFull = this.#bytes >= mostUnread;
    this.#unread = [];
    this.#bytes = 0;
    if (wasFull) this.#resume();
    return bytes;
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The reader as a web stream, which an unpacker needs. It reads only what is asked for. */
const toByteStream = (reader: ByteReader): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
