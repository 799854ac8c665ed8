import { spawn } from "node:child_process";
import { constants } from "node:os";

import { UsageError } from "../frame/usage-error.ts";
import type { PreparedProgram } from "./prepare-program.ts";

/** Signals that reach this process alone. Ctrl-C at a terminal reaches the program by itself. */
const forwarded = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"] as const;

/** Runs a program in our place, on our terminal, and returns its exit code: 128 and the number of the signal that ended it. */
export function runProgram(
  { command, args, env }: PreparedProgram,
  { isAtTerminal, cwd }: { readonly isAtTerminal: boolean; readonly cwd: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: "inherit" });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    // A second Ctrl-C would end Claude Code: at a terminal it has had this one already.
    const interrupt = (): void => {
      if (!isAtTerminal) child.kill("SIGINT");
    };
    for (const name of forwarded) process.on(name, forward);
    process.on("SIGINT", interrupt);
    const forget = (): void => {
      for (const name of forwarded) process.off(name, forward);
      process.off("SIGINT", interrupt);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      forget();
      reject(cannotStart(command, error));
    });
    child.once("exit", (code, signal) => {
      forget();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

const cannotStart = (command: string, error: NodeJS.ErrnoException): UsageError =>
  error.code === "ENOENT"
    ? new UsageError(
        `Cannot find the program ${JSON.stringify(command)}. Is it installed, and in your PATH?`,
      )
    : new UsageError(
        error.code === "EACCES"
          ? `${command} is not a program, or you may not run it.`
          : `${command} cannot be started: ${error.message}`,
      );
