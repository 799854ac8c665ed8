import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";
import { isMullError, type MullError } from "../packages/mull/src/types/error.ts";

/** A server on a free port of this machine. It is closed when the test that opened it ends. */
export interface Loopback {
  readonly url: string;
  /** How many connections there were. */
  readonly connections: () => number;
}

export interface HttpLoopback extends Loopback {
  /** Answers whose connection is still open. After a cut the runtime's pool opens an idle one. */
  readonly answering: () => number;
}

/** Plain HTTP on a free port. */
export async function serveHttp(handle: RequestListener): Promise<HttpLoopback> {
  let answering = 0;
  const server = createHttpServer((request, response) => {
    answering++;
    response.on("close", () => answering--);
    handle(request, response);
  });
  return { ...(await listen(server)), answering: () => answering };
}

export interface RawLoopback extends Loopback {
  /** Every request, whole, in order of arrival. */
  readonly requests: readonly string[];
}

/** A TCP server that reads whole requests and leaves the answer, good or bad, to `answer`. */
export async function serveRaw(
  answer: (socket: Socket, count: number) => void,
): Promise<RawLoopback> {
  const requests: string[] = [];
  const server = createTcpServer((socket) => {
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      requests.push(text);
      text = "";
      answer(socket, requests.length);
    });
  });
  const loopback = await listen(server);
  return { ...loopback, requests };
}

async function listen(server: Server): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return {
    url: `http://127.0.0.1:${port}/v1/test`,
    connections: () => connections,
  };
}

/** Resolves once `condition` holds; rejects after `ms`: a busy machine may take seconds. */
export async function until(condition: () => boolean, ms = 8000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error("the condition did not come true in time");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The error that `work` fails with. */
export async function failureOf(work: Promise<unknown>): Promise<MullError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isMullError(error)) return error;
  throw new Error("expected a MullError", { cause: error });
}
