import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";

const program = "/usr/bin/redis-server";

/** A Redis server for one test run. It writes nothing to disk. */
export interface LocalRedis {
  readonly url: string;
  /** Of the server started last. */
  readonly pid: () => number;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts the machine's Redis; `undefined` if there is none. */
export async function startRedis(): Promise<LocalRedis | undefined> {
  if (!existsSync(program)) return undefined;
  const port = await anyPort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const bind = ["--port", String(port), "--bind", "127.0.0.1"];
    child = spawn(program, [...bind, "--save", "", "--appendonly", "no"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    for await (const bytes of child.stdout ?? []) {
      said += String(bytes);
      if (said.includes("Ready to accept connections")) break;
    }
    child.stdout?.resume();
  };
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return { url: `redis://127.0.0.1:${port}`, pid: () => child?.pid ?? 0, start, stop };
}

/** A free port. */
export async function anyPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
