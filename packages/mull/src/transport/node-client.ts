import { AnswerBytes, toByteStream } from "./answer-bytes.ts";
import type { Answer, AnswerBody, Post, PostInit } from "./answer.ts";
import { patientDispatcher } from "./lift-limits.ts";
import { remember } from "./remember.ts";

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
}

interface DispatchHandler {
  readonly onConnect: (abort: (reason: unknown) => void) => void;
  readonly onHeaders: (status: number, raw: readonly NodeBuffer[], resume: () => void) => boolean;
  readonly onData: (chunk: Uint8Array) => boolean;
  readonly onComplete: () => void;
  readonly onError: (error: unknown) => void;
}

/** The library has no Node types. */
interface NodeBuffer {
  toString(encoding: "latin1"): string;
}

interface NodeProcess {
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

/** Clients whose handlers are these; any other is used through `fetch`. */
const knownClient = /^[67]\./;

let known: { readonly agent: object; readonly post: Post } | undefined;

/**
 * Posts through the client underneath Node's own `fetch`, without the copies and streams that the
 * whole of `fetch` makes for every request: they cost more than all that mull does for a short
 * answer. Redirects are not followed, and no silence is too long. `undefined` where the runtime is
 * not Node or its client not one we know, and where somebody has put a `fetch` or an agent of their
 * own in charge: then theirs is to be used.
 */
export function nodePost(scope: object = globalThis): Post | undefined {
  const agent = patientDispatcher(scope);
  if (agent === undefined || !isNodesOwn(Reflect.get(scope, "fetch"))) return undefined;
  if (known?.agent === agent) return known.post;
  if (!isDispatcher(agent) || !knownClient.test(nodeProcess().versions["undici"] ?? "")) {
    return undefined;
  }
  known = { agent, post: (url, init) => post(agent, url, init) };
  return known.post;
}

const nodeProcess = (): NodeProcess => (globalThis as unknown as { process: NodeProcess }).process;

let nodesOwn: unknown;

/** A mock, a tracer or a wrapper does not read like Node's. */
function isNodesOwn(fetch: unknown): boolean {
  if (typeof fetch !== "function") return false;
  if (fetch !== nodesOwn && Function.prototype.toString.call(fetch).includes(nodesModule)) {
    nodesOwn = fetch;
  }
  return fetch === nodesOwn;
}

const nodesModule = "internal/deps/undici";

const isDispatcher = (value: object): value is Dispatcher =>
  typeof (value as Partial<Dispatcher>).dispatch === "function";

const placeOf = remember((url) => {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
});

const post = (dispatcher: Dispatcher, url: string, init: PostInit): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { headers, body, signal } = init;
    const options = { ...placeOf(url), method: "POST", headers: sentHeaders(headers), body };
    dispatcher.dispatch(options, createHandler(signal, resolve, reject));
  });

/** Some doors are closed to those who do not say who they are. Events are not worth packing. */
function sentHeaders(given: PostInit["headers"]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { "user-agent": "mull", "accept-encoding": "identity" };
  for (const name of Object.keys(given)) headers[name.toLowerCase()] = given[name]!;
  return headers;
}

function createHandler(
  signal: AbortSignal,
  resolve: (answer: Answer) => void,
  reject: (error: unknown) => void,
): DispatchHandler {
  let body: AnswerBytes | undefined;
  let abort: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => abort?.(signal.reason);
  const settle = (): void => signal.removeEventListener("abort", onAbort);
  return {
    onConnect(cut) {
      abort = cut;
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort);
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

const answerOf = (
  status: number,
  headers: ReadonlyMap<string, string>,
  bytes: AnswerBytes,
): Answer => ({
  ok: status < 300,
  status,
  type: "default",
  headers,
  body: unpacked(bytes, headers.get("content-encoding")?.toLowerCase()),
});

const unpackers: ReadonlyMap<string, keyof NodeZlib> = new Map<string, keyof NodeZlib>([
  ["gzip", "createGunzip"],
  ["deflate", "createInflate"],
  ["br", "createBrotliDecompress"],
]);

/** Plain text was asked for; what stands between may pack it all the same. */
function unpacked(bytes: AnswerBytes, encoding: string | undefined): AnswerBody {
  const create = encoding === undefined ? undefined : unpackers.get(encoding);
  if (create === undefined) return bytes;
  const { getBuiltinModule } = nodeProcess();
  const unpacker = (getBuiltinModule("node:zlib") as NodeZlib)[create]();
  const { Duplex } = getBuiltinModule("node:stream") as NodeStream;
  return toByteStream(bytes).pipeThrough(Duplex.toWeb(unpacker));
}

/** Names in lower case; values of one name are one, as in `Headers`. */
function readHeaders(raw: readonly NodeBuffer[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toString("latin1").toLowerCase();
    const value = raw[at + 1]!.toString("latin1");
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}
