import { constants } from "node:os";
import type { Terminal } from "./terminal.ts";

/** Longer than it takes to be stopped. */
const stopMs = 100;

/** The terminal this process was started in. */
export function nodeTerminal(host: NodeJS.Process = process): Terminal {
  const { stdin, stdout } = host;
  /** The chat decides what a signal means; who listened before gets it back afterwards. */
  const listen = (events: readonly NodeJS.Signals[], listener: () => void): (() => void) => {
    const before = events.map((event) => [event, host.listeners(event)] as const);
    for (const event of events) host.removeAllListeners(event).on(event, listener);
    return () => {
      for (const event of events) host.off(event, listener);
      for (const [event, listeners] of before) for (const old of listeners) host.on(event, old);
    };
  };
  return {
    input: stdin,
    setRaw: (raw) => {
      if (stdin.isTTY) stdin.setRawMode(raw);
    },
    write: (text) => {
      stdout.write(text);
    },
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize: (listener) => {
      stdout.on("resize", listener);
      return () => stdout.off("resize", listener);
    },
    onHangup: (listener) => {
      // A terminal that is gone fails its next write or read; that must not end the process unsaved.
      stdout.on("error", listener);
      stdin.on("error", listener);
      const silence = listen(["SIGHUP", "SIGTERM"], listener);
      return () => {
        silence();
        stdout.off("error", listener);
        stdin.off("error", listener);
      };
    },
    onInterrupt: (listener) => listen(["SIGINT"], listener),
    suspend: () =>
      new Promise((resume) => {
        host.kill(0, constants.signals.SIGTSTP);
        // A stopped process counts no time, so this is over as soon as it goes on. Without a shell
        // that could continue it, the system does not stop it at all, and nobody would say so.
        setTimeout(resume, stopMs);
      }),
    run: async (command, words) => {
      const { spawn } = await import("node:child_process");
      return new Promise((finish, fail) => {
        stdin.pause();
        const child = spawn(command, words, { stdio: "inherit" });
        child.on("error", fail);
        child.on("close", (code) => {
          stdin.resume();
          finish(code ?? 1);
        });
      });
    },
  };
}
