import { connect, createServer } from "node:net";
import { hasCode } from "../store-error.ts";
import { isHeld, type Hold } from "./held.ts";

/**
 * Holds a name that the operating system releases when the process ends: a named pipe on Windows.
 * No file stays behind, so a name in use has a living holder.
 */
export async function holdName(name: string, resource: string): Promise<Hold> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(`${process.pid} holds\n`);
  });
  try {
    await new Promise<void>((done, fail) => {
      server.once("error", fail);
      server.listen(name, done);
    });
  } catch (error) {
    if (!hasCode(error, "EADDRINUSE")) throw error;
    throw isHeld(resource, await askPid(name));
  }
  server.unref();
  return {
    release: async () => {
      await new Promise((done) => server.close(done));
    },
  };
}

const askPid = (name: string): Promise<string> =>
  new Promise((answer) => {
    const socket = connect(name);
    const finish = (pid: string): void => {
      clearTimeout(timer);
      socket.destroy();
      answer(pid);
    };
    const timer = setTimeout(() => finish("unknown"), 1000);
    socket.on("data", (bytes) => finish(bytes.toString().split(" ")[0] ?? "unknown"));
    socket.on("error", () => finish("unknown"));
  });
