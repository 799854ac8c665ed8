import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import type { ClientAnswer, ClientRequest, ClientSink, Gateway } from "@mull/gateway";
import type { JsonObject } from "mull";
import { portTaken } from "mull/wire";

/** What answers requests: the gateway, or anything else with its shape. */
export type RequestHandler = Pick<Gateway, "answer">;

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
  const open = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(
    {
      headersTimeout: 10_000,
      // A body that does not arrive: 50 MB through a slow line takes its time, half a request ends here.
      requestTimeout: 120_000,
      connectionsCheckingInterval: 5000,
      keepAliveTimeout: 75_000,
    },
    (message, response) => {
      open.set(message.socket, response);
      // A connection that is kept alive would hold up the close until it times out.
      response.once("close", () => {
        if (closing !== undefined) setImmediate(() => server.closeIdleConnections());
      });
      answer(handler, message, response, stalledMs).catch(() => response.destroy());
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    refuseBroken(error, socket, open.get(socket)),
  );
  // Codex opens a WebSocket first. 426 makes it use HTTP at once; after 404 it tries seven times.
  server.on("upgrade", (_message, socket) => refuseUpgrade(socket));
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

function refuseUpgrade(socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.end(
    writeRefusal("426 Upgrade Required", {
      message: "This gateway speaks HTTP, not WebSocket. Send the same request with POST.",
      type: "invalid_request_error",
      code: "websocket_not_supported",
      param: null,
    }),
  );
}

/** Node alone closes the connection without a word of what was wrong. */
function refuseBroken(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined,
): void {
  const isOpen = response !== undefined && !response.writableFinished;
  // Half a request: the reader of its body reports it in the client's wire.
  if (isOpen && !response.headersSent && response.req.listenerCount("error") > 0)
    response.req.emit("error", error);
  else if (isOpen || !socket.writable) socket.destroy();
  else
    socket.end(
      writeRefusal(brokenStatuses.get(error.code) ?? "400 Bad Request", {
        message:
          "The gateway cannot read this as an HTTP request, or it did not arrive completely in time.",
        type: "invalid_request_error",
      }),
    );
}

const brokenStatuses: ReadonlyMap<string | undefined, string> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
]);

/** Answers bytes that are not a request, in words that all clients read. */
function writeRefusal(status: string, error: JsonObject): string {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
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
  const answered = await handler.answer(request);
  const { body } = answered;
  if (!response.destroyed) writeHead(answered, message, response);
  if (typeof body !== "function") {
    response.end(body);
    return;
  }
  // If the first words come at once, they share a write with the headers.
  const flushing = setImmediate(() => response.flushHeaders());
  const client = sinkOf(response, stalledMs);
  await body({
    ...client,
    write: (bytes) => {
      clearImmediate(flushing);
      return client.write(bytes);
    },
  });
  clearImmediate(flushing);
  response.end();
}

/** `undefined`: nobody's address is spelled like this. */
function requestOf(message: IncomingMessage, signal: AbortSignal): ClientRequest | undefined {
  const { method = "GET", url: target = "/" } = message;
  if (!target.startsWith("/") || !URL.canParse(`http://gateway${target}`)) return undefined;
  return {
    method,
    target,
    headers: headersOf(message),
    signal,
    read: (take) => read(message, take),
  };
}

/**
 * Headers of one connection, which are not passed on. `upgrade` stays, because an upgrade must be
 * refused.
 */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "expect",
  "te",
  "trailer",
]);

function headersOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !ofConnection.has(name)) fields.set(name, String(value));
  }
  return fields;
}

const read = (message: IncomingMessage, take: (bytes: Uint8Array) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      if (take(chunk)) return;
      message.off("data", onData);
      message.pause();
      resolve();
    };
    message.on("data", onData);
    message.on("end", resolve);
    message.on("error", reject);
    // Without an error if the client closed the connection before its last word.
    message.on("close", () => {
      if (!message.complete) reject(new Error("the connection closed"));
    });
  });

function writeHead(
  { status, headers }: ClientAnswer,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  if (!message.complete && status >= 400) {
    response.setHeader("connection", "close");
    // Discards what the client still sends; a reset at once would lose the answer.
    message.resume();
    response.once("finish", () => setTimeout(() => message.destroy(), 500).unref());
  }
  response.writeHead(status, headers);
}

/** Given a text, Node would count its bytes before it writes them, which takes as long. No letter has more than three. */
function utf8(text: string): Uint8Array {
  const room = Buffer.allocUnsafe(text.length * 3);
  return room.subarray(0, room.write(text));
}

/** Takes no more than the client does. A client that takes nothing for too long is let go. */
const sinkOf = (response: ServerResponse, stalledMs: number): ClientSink => ({
  write: (bytes) =>
    response.destroyed || response.write(typeof bytes === "string" ? utf8(bytes) : bytes),
  ready: () =>
    new Promise((resolve) => {
      if (response.destroyed || !response.writableNeedDrain) {
        resolve();
        return;
      }
      const timer = setTimeout(() => response.destroy(), stalledMs);
      const settle = (): void => {
        clearTimeout(timer);
        response.off("drain", settle);
        response.off("close", settle);
        resolve();
      };
      response.on("drain", settle);
      response.on("close", settle);
    }),
});
