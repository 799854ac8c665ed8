import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";

import { MullError } from "mull";

/** What answers requests: the gateway, or anything else with its shape. */
export interface RequestHandler {
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Settings of `listen`. */
export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** How long a reader may take nothing before it is let go. */
  readonly stalledMs?: number;
  /** How long answers may go on once `close` is called. */
  readonly graceMs?: number;
}

/** A handler that listens on a port. */
export interface Listening {
  readonly url: string;
  /** Takes no new requests, lets answers come to their end, then closes. */
  readonly close: () => Promise<void>;
}

/** Serves a handler on a port. A client that leaves stops its own request at once, and no other. */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const { port, host, stalledMs = 60_000, graceMs = 5000 } = options;
  let closing: Promise<void> | undefined;
  const server = createServer(
    {
      headersTimeout: 10_000,
      // A body that does not arrive: 50 MB through a slow line takes its time, half a request ends here.
      requestTimeout: 120_000,
      connectionsCheckingInterval: 5000,
      keepAliveTimeout: 75_000,
    },
    (message, response) => {
      // A connection that is kept alive would hold up the close until it times out.
      response.once("close", () => {
        if (closing !== undefined) setImmediate(() => server.closeIdleConnections());
      });
      answer(handler, message, response, stalledMs).catch(() => response.destroy());
    },
  );
  // Codex opens a WebSocket first. 426 makes it use HTTP at once; after 404 it tries seven times.
  server.on("upgrade", (_message, socket: Socket) => refuseUpgrade(socket));
  const bound = await bind(server, port, host);
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
    await closed;
  };
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${bound}`, close: () => (closing ??= close()) };
}

const bind = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? portTaken(port) : error);
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

const portTaken = (port: number): MullError =>
  new MullError(`Port ${port} is taken.`, {
    category: "invalid_argument",
    code: "INVALID_ARG",
    field: "port",
    fix: "--port 0 takes any free one",
  });

const noSockets = JSON.stringify({
  error: {
    message: "This gateway speaks HTTP, not WebSocket. Send the same request with POST.",
    type: "invalid_request_error",
    code: "websocket_not_supported",
    param: null,
  },
});

function refuseUpgrade(socket: Socket): void {
  socket.on("error", () => socket.destroy());
  const head = [
    "HTTP/1.1 426 Upgrade Required",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(noSockets)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${noSockets}`);
}

async function answer(
  handler: RequestHandler,
  message: IncomingMessage,
  response: ServerResponse,
  stalledMs: number,
): Promise<void> {
  const left = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) left.abort();
  });
  const request = requestOf(message, left.signal);
  if (request === undefined) {
    response.writeHead(400, { connection: "close" }).end();
    return;
  }
  const answered = await handler.fetch(request);
  if (response.destroyed) {
    await answered.body?.cancel();
    return;
  }
  writeHead(answered, message, response);
  if (answered.body === null || message.method === "HEAD") {
    await answered.body?.cancel();
    response.end();
    return;
  }
  await writeBody(answered.body, response, stalledMs);
}

/** `undefined`: nobody's address is spelled like this. */
function requestOf(message: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", headers, url: path = "/" } = message;
  if (!path.startsWith("/")) return undefined;
  const hasBody = method !== "GET" && method !== "HEAD";
  try {
    const body = hasBody ? (Readable.toWeb(message) as ReadableStream<Uint8Array>) : null;
    const init = { method, headers: headerPairs(message), signal, body, duplex: "half" as const };
    return new Request(`http://${headers.host ?? "nowhere"}${path}`, init);
  } catch {
    return undefined;
  }
}

/** What is between two machines, and not for the one behind. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);

const headerPairs = ({ rawHeaders }: IncomingMessage): [string, string][] => {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!ofConnection.has(name.toLowerCase())) pairs.push([name, rawHeaders[at + 1]!]);
  }
  return pairs;
};

function writeHead(answered: Response, message: IncomingMessage, response: ServerResponse): void {
  if (!message.complete && answered.status >= 400) {
    response.setHeader("connection", "close");
    // What the client still sends is thrown away; a reset at once would take the answer with it.
    message.resume();
    response.once("finish", () => setTimeout(() => message.destroy(), 500).unref());
  }
  response.writeHead(answered.status, [...answered.headers].flat());
  response.flushHeaders();
}

/** Reads no faster than the client does. A client that takes nothing for too long is let go. */
async function writeBody(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  stalledMs: number,
): Promise<void> {
  const reader = body.getReader();
  // Cancelling a body that broke off rejects with what broke it: the client has been told.
  const leave = (): void => void reader.cancel().catch(() => undefined);
  response.once("close", leave);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (response.destroyed) return;
    if (!response.write(next.value) && !(await drained(response, stalledMs))) {
      response.destroy();
      return;
    }
  }
  response.end();
}

/** `false`: the client left, or took nothing for too long. */
const drained = (response: ServerResponse, stalledMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (isDrained: boolean) => (): void => {
      clearTimeout(timer);
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(isDrained);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    const timer = setTimeout(onClose, stalledMs);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
