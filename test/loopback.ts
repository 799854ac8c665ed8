import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { AddressInfo, Server } from "node:net";

export interface Loopback extends AsyncDisposable {
  readonly url: string;
  /** Connections open now, and how many there were. */
  readonly open: () => number;
  readonly connections: () => number;
}

/** Plain HTTP on a free port. */
export const serveHttp = (handle: RequestListener): Promise<Loopback> =>
  listen(createHttpServer(handle));

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
  return {
    url: `http://127.0.0.1:${port}/v1/test`,
    open: () => sockets.size,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Resolves once `condition` holds; rejects after `ms`. */
export async function until(condition: () => boolean, ms = 1000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error("the condition did not come true in time");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
