/** The emulator on a port, for clients in other processes. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { MullError } from "mull";
import { portTaken } from "mull/wire";

import { emulate, type Emulator } from "./emulate.ts";
import { whyShut, type EmulatorGate, type Visitor } from "./gate.ts";
import type { EmulatorOptions } from "./world/options.ts";

/** Settings of `listen`. */
export interface ListenOptions extends EmulatorOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  /** Allows a host that is not loopback: anybody who reaches it can read the journal. */
  readonly allowRemote?: boolean;
  /** Pages that may use it besides those of this machine, e.g. `http://app.test:3000`. */
  readonly origins?: readonly string[];
  /** Names it answers for besides those of this machine, e.g. `emulator`. With `allowRemote` and no name, any. */
  readonly hosts?: readonly string[];
}

/** An emulator that listens on a port. */
export interface Listening {
  readonly port: number;
  /** Address to use as base URL, e.g. `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly emulator: Emulator;
  readonly close: () => Promise<void>;
}

const loopback = new Set(["127.0.0.1", "::1", "localhost"]);

const largestBody = 64 * 1024 * 1024;

const readBody = async (message: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const headersOf = (message: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined && !name.startsWith(":")) {
      headers.set(name, Array.isArray(value) ? value.join(", ") : value);
    }
  }
  return headers;
};

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.on("drain", go);
    response.on("close", go);
  });

/** Passes the body on as it comes; a broken body breaks the connection. */
const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  try {
    for await (const chunk of answer.body ?? []) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  }
};

/** Answers in the emulator's own name. */
const tell = (response: ServerResponse, status: number, type: string, message: string): void => {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: { type, message } }));
};

const visitorOf = ({ headers: { origin, host } }: IncomingMessage): Visitor => ({ origin, host });

const serve = async (
  emulator: Emulator,
  gate: EmulatorGate,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const shut = whyShut(visitorOf(message), gate);
  if (shut !== undefined) {
    tell(response, shut.status, "emulator_error", shut.message);
    return;
  }
  const left = new AbortController();
  response.on("close", () => left.abort());
  const body = await readBody(message);
  if (body === undefined) {
    tell(response, 413, "request_too_large", "Request exceeds the maximum size");
    return;
  }
  const method = message.method ?? "GET";
  const answer = await emulator(`http://loopback${message.url ?? "/"}`, {
    method,
    headers: headersOf(message),
    signal: left.signal,
    ...(method !== "GET" && method !== "HEAD" && { body: body as Uint8Array<ArrayBuffer> }),
  });
  await send(answer, response);
};

/** An error of the emulator itself is answered with status 500, as long as nothing was sent. */
const breakDown = (error: unknown, response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : "unknown";
  tell(response, 500, "emulator_error", message);
};

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;

const notPort = (port: number): MullError =>
  new MullError(`port: ${port} is not allowed. Allowed: 0 to 65535.`, {
    category: "invalid_argument",
    code: "INVALID_ARG",
    field: "port",
  });

/** Starts an emulator on a port of this machine. */
export const listen = async (options: ListenOptions = {}): Promise<Listening> => {
  const { port = 0, host = "127.0.0.1", allowRemote = false, ...given } = options;
  const { origins = [], hosts = [], ...rest } = given;
  if (!loopback.has(host) && !allowRemote) {
    throw new MullError(
      `host: "${host}" is not loopback. Allowed: ${[...loopback].join(" ")}, or any with allowRemote.`,
      { category: "invalid_argument", code: "INVALID_ARG", field: "host" },
    );
  }
  if (!isPort(port)) throw notPort(port);
  const emulator = emulate(rest);
  const gate = { origins, hosts: hosts.map((name) => name.toLowerCase()), isOpen: allowRemote };
  const server = createServer((message, response) => {
    serve(emulator, gate, message, response).catch((error: unknown) => breakDown(error, response));
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? portTaken(port) : error);
    });
    server.listen(port, host, () => resolve());
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    emulator,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Shell lines that point the official SDKs at an emulator. */
export const environmentLines = (url: string): readonly string[] => [
  `export ANTHROPIC_BASE_URL=${url}`,
  `export OPENAI_BASE_URL=${url}/v1`,
  `export GOOGLE_GEMINI_BASE_URL=${url}`,
  `export GOOGLE_BASE_URL=${url}`,
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"].map(
    (name) => `export ${name}=emulated`,
  ),
];
