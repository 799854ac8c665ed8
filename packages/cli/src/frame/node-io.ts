import { fstatSync } from "node:fs";
import { homedir } from "node:os";

import { guardPrinted } from "../session/to-terminal.ts";
import { exitCodes } from "./exit-code.ts";
import { ClosedPipe, type Io } from "./io.ts";

/** The process as the commands see it. */
export function nodeIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  // A write to a closed pipe emits an error. Without a listener it would end the process noisily.
  stdout.on("error", () => {});
  stderr.on("error", () => {});
  let stopped: AbortSignal | undefined;
  return {
    stdin,
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(stdout.isTTY ? guardPrinted(text) : text, (error) => {
          if (error == null) resolve();
          else reject(isClosed(error) ? new ClosedPipe() : error);
        });
      }),
    err: (text) => {
      stderr.write(stderr.isTTY ? guardPrinted(text) : text);
    },
    redraw:
      stderr.isTTY && env["TERM"] !== "dumb"
        ? (line) => stderr.write(`\r${guardPrinted(line)}\u001B[K`)
        : undefined,
    env,
    cwd: currentFolder(),
    home: homedir(),
    terminal: {
      stdin: stdin.isTTY,
      stdout: stdout.isTTY,
      stderr: stderr.isTTY,
    },
    get columns(): number | undefined {
      // Terminals without a window, as under `script` or in a container, say 0.
      return stdout.columns || stderr.columns || undefined;
    },
    get rows(): number | undefined {
      return stdout.rows || stderr.rows || undefined;
    },
    mayBeSilent: isSocket(stdin.fd),
    // Node's Ctrl-C is replaced only once the signal is read; the chat handles Ctrl-C itself.
    get signal(): AbortSignal {
      stopped ??= stopSignal();
      return stopped;
    },
    now: Date.now,
  };
}

/** If the working directory has been removed, use the home directory. */
const currentFolder = (): string => {
  try {
    return process.cwd();
  } catch {
    return homedir();
  }
};

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

/** Aborted by the first Ctrl-C, `kill` or lost terminal. A second one ends the process. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const end = (): void => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    stop.abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, end);
  return stop.signal;
}
