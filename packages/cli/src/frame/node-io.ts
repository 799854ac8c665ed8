import { fstatSync } from "node:fs";
import { homedir } from "node:os";

import { ClosedPipe, type Io } from "./io.ts";

/** The process as the commands see it. */
export function nodeIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr, env } = process;
  // A closed pipe is told by the write that hits it; unheard it would end the process noisily.
  stdout.on("error", () => {});
  stderr.on("error", () => {});
  return {
    stdin,
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error == null) resolve();
          else reject(isClosed(error) ? new ClosedPipe() : error);
        });
      }),
    err: (text) => {
      stderr.write(text);
    },
    env,
    cwd: process.cwd(),
    home: homedir(),
    terminal: {
      stdin: stdin.isTTY,
      stdout: stdout.isTTY,
      stderr: stderr.isTTY,
    },
    mayBeSilent: isSocket(stdin.fd),
    signal,
    now: Date.now,
  };
}

const isClosed = (error: Error): boolean =>
  "code" in error && ["EPIPE", "ERR_STREAM_DESTROYED", "ECONNRESET"].includes(String(error.code));

/** Shells make pipes; programs written in Node start their children with sockets. */
const isSocket = (descriptor: number): boolean => {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false;
  }
};
