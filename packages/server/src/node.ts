import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createLoopShare, type LoopShare } from "@mull/store/parts";
import { MullError } from "mull";
import { portTaken } from "mull/wire";
import { answerOf, type ChatServer } from "./app.ts";
import type { Answer } from "./http/answer.ts";
import type { RequestedUrl } from "./http/asked.ts";
import { clientAddress, readProxies, type TrustedProxies } from "./http/client-address.ts";

/** Settings of `listen`. */
export interface ListenOptions {
  /** 0 takes any free port. Default 3001. */
  readonly port?: number;
  /** Default: loopback. */
  readonly host?: string;
  /** Allows a host other than loopback: behind TLS, or if anybody may listen in. */
  readonly allowRemote?: boolean;
  /** Closed together with the server, after the last turn. */
  readonly onClose?: () => Promise<void>;
  /**
   * Proxies whose `X-Forwarded-For` is believed: `10.0.0.7, 192.168.0.0/16`, or how many there are.
   * Default: none.
   */
  readonly trustedProxies?: string;
  /** Milliseconds between `/ready` saying 503 and new connections being refused. Default 0. */
  readonly leaveMs?: number;
  /** How long a reader may take nothing before it is disconnected; it can come back. */
  readonly stalledMs?: number;
}

/** A server that listens on a port. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export const defaultPort = 3001;

export const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

type Place = Pick<ListenOptions, "port" | "host" | "allowRemote">;

function checkHost({ host = "127.0.0.1", allowRemote }: Place): void {
  if (!loopback.has(host) && allowRemote !== true) throw remoteHost(host);
}

/** Checks whether `listen` would refuse this address, before anything expensive is opened. */
export async function checkPlace(place: Place): Promise<void> {
  checkHost(place);
  const { port = defaultPort, host = "127.0.0.1" } = place;
  if (port === 0) return;
  const server = createServer();
  await bind(server, port, host);
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Starts the server on a port. `close` makes `/ready` say 503 and answers say `connection: close`,
 * takes no new connections after `leaveMs`, waits for running turns, then closes.
 */
export async function listen(app: ChatServer, options: ListenOptions = {}): Promise<Listening> {
  const { port = defaultPort, host = "127.0.0.1", stalledMs = 30_000, leaveMs = 0 } = options;
  checkHost(options);
  const state = { isLeaving: false };
  const trusted = readProxies(options.trustedProxies ?? "");
  const loop = createLoopShare();
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5000,
      // Longer than proxies keep an idle connection, usually 60 s. The proxy must hang up first: if
      // we did, a question it sends at that moment would be lost and answered with 502.
      keepAliveTimeout: 75_000,
    },
    (message, response) => {
      serve(app, message, response, { stalledMs, loop, trusted, state }).catch(() =>
        response.destroy(),
      );
    },
  );
  const bound = await bind(server, port, host);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    let closed: Promise<void> | undefined;
    const stopListening = async (): Promise<void> => {
      await new Promise(setImmediate);
      closed ??= refuseConnections(server);
    };
    state.isLeaving = true;
    await app.drain({ leaveMs, stopListening, hangUp: () => server.closeIdleConnections() });
    await stopListening();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 500).unref();
    await closed;
    await options.onClose?.();
  };
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    port: bound,
    url: `http://${name}:${bound}`,
    close: () => (closing ??= close()),
  };
}

/**
 * Takes no new connections and leaves open ones alone. HTTP's `server.close` hangs up on idle ones,
 * and a question that a proxy sends at that moment is answered with 502. Call it right after
 * accepting waiting connections, because those still waiting are reset.
 */
const refuseConnections = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });

const bind = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(error.code === "EADDRINUSE" ? portTaken(port) : error);
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve((server.address() as AddressInfo).port);
    });
  });

/** How to treat readers. */
interface Manners {
  /** A reader that takes nothing for this long is disconnected. */
  readonly stalledMs: number;
  readonly loop: LoopShare;
  readonly trusted: TrustedProxies;
  /** A client that asks while this process shuts down reconnects, and reaches another one. */
  readonly state: { readonly isLeaving: boolean };
}

async function serve(
  app: ChatServer,
  message: IncomingMessage,
  response: ServerResponse,
  manners: Manners,
): Promise<void> {
  await manners.loop.take();
  const url = urlOf(message);
  if (url === undefined) {
    response.writeHead(400, { connection: "close" }).end();
    return;
  }
  const asked = await readRequest(message, response);
  const { remoteAddress } = message.socket;
  const forwarded = message.headers["x-forwarded-for"];
  const address =
    remoteAddress && clientAddress(remoteAddress, forwarded?.toString(), manners.trusted);
  const answer = await (answerOf(app)?.(asked, url, address) ??
    app(url, initOf(asked, message), address === undefined ? {} : { address }));
  await send(answer, message, response, manners);
}

/** `undefined`: none of our addresses can be spelled like this. */
function urlOf({ headers, url: path = "/" }: IncomingMessage): URL | undefined {
  if (!path.startsWith("/")) return undefined;
  try {
    const url = new URL(`http://${headers.host ?? "nowhere"}${path}`);
    return url.username === "" && url.password === "" ? url : undefined;
  } catch {
    return undefined;
  }
}

async function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
): Promise<RequestedUrl> {
  const { headers, method = "GET" } = message;
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return (Array.isArray(value) ? value.join(", ") : value) ?? null;
  };
  let signal: AbortSignal | undefined;
  return {
    method,
    headers: { get },
    body: await bodyOf(message),
    get signal() {
      return (signal ??= leavingOf(response));
    },
  };
}

/** Created only when it is read: most answers are ready before a client could leave. */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  if (response.destroyed) leaving.abort();
  response.once("close", () => {
    if (!response.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

const smallBody = 65_536;

/** Reads a small body first: a stream would cost more than the content. */
async function bodyOf(message: IncomingMessage): Promise<RequestedUrl["body"]> {
  const { "content-length": declared, "transfer-encoding": coding } = message.headers;
  if (message.method === "GET" || message.method === "HEAD") return null;
  // Browsers send DELETE without a content type or length: there is no body.
  if (declared === undefined && coding === undefined) return null;
  const length = Number(declared);
  return length <= smallBody
    ? readWhole(message)
    : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
}

const readWhole = (message: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    message.on("error", reject);
  });

/** The same request, for a server that takes web requests only. */
const initOf = ({ method, body }: RequestedUrl, { headers }: IncomingMessage): RequestInit => {
  const init = {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
    // Node's buffers are never shared with other threads.
    body: body as Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    duplex: "half" as const,
  };
  return init;
};

async function send(
  answer: Answer,
  message: IncomingMessage,
  response: ServerResponse,
  { stalledMs, loop, state }: Manners,
): Promise<void> {
  const isUnread = !message.complete && answer.status >= 400;
  if (isUnread) {
    // Discards what the client still sends; resetting the connection at once would lose the answer.
    response.once("finish", () => setTimeout(() => message.destroy(), 500).unref());
  }
  // Not with `setHeader`: of two cookies in `head`, only the second would remain.
  const head: string[] = isUnread || state.isLeaving ? ["connection", "close"] : [];
  for (const [name, value] of answer.headers) head.push(name, value);
  response.writeHead(answer.status, head);
  const source = sourceOf(answer);
  if (source === undefined || message.method === "HEAD") {
    source?.leave();
    response.end();
    return;
  }
  response.once("close", source.leave);
  // Sends what is ready together with the headers, without waiting for the rest.
  let isUnsent = true;
  setImmediate(() => {
    if (isUnsent && !response.destroyed) response.flushHeaders();
  });
  for (let next = await source.next(); next !== undefined; next = await source.next()) {
    isUnsent = false;
    if (response.destroyed) return;
    if (response.write(next)) continue;
    if (!(await drained(response, stalledMs))) {
      response.destroy();
      return;
    }
    // A socket with room for megabytes takes them in one round of the loop.
    await loop.take();
  }
  isUnsent = false;
  response.end();
}

interface Source {
  readonly next: () => Promise<string | Uint8Array | undefined>;
  readonly leave: () => void;
}

/** Sends what follows the head, wherever it comes from. */
function sourceOf(answer: Answer): Source | undefined {
  if ("frames" in answer) return answer.frames;
  if (answer.body === null) return undefined;
  const reader = answer.body.getReader();
  return {
    next: async () => (await reader.read()).value,
    leave: () => void reader.cancel().catch(() => undefined),
  };
}

/** `false`: the reader took nothing for too long. */
const drained = (response: ServerResponse, stalledMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (isDrained: boolean) => (): void => {
      clearTimeout(timer);
      response.off("drain", onDrain);
      response.off("close", onDrain);
      resolve(isDrained);
    };
    const onDrain = settle(true);
    const timer = setTimeout(settle(false), stalledMs);
    response.on("drain", onDrain);
    response.on("close", onDrain);
  });

const remoteHost = (host: string): MullError =>
  new MullError(
    `Listening on ${host} would serve anyone who reaches it, without TLS. Put TLS in front and set MULL_ALLOW_REMOTE=1 and MULL_HOSTS.`,
    { category: "invalid_argument", code: "remote_host", field: "host", allowed: [...loopback] },
  );
