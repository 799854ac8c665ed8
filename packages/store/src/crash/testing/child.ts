import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Child {
  readonly pid: number;
  /** Whole lines it has printed. A line cut by a kill is not there. */
  readonly lines: readonly string[];
  /** Resolves with the first line that begins so; rejects when the child ends without one. */
  readonly waitFor: (start: string) => Promise<string>;
  readonly errors: () => string;
  readonly kill: () => Promise<void>;
  /** Its exit code; `null` when it was killed. */
  readonly ended: Promise<number | null>;
}

const living = new Set<Child>();

/** For the end of a test: a child must not outlive a test that failed. */
export const killChildren = async (): Promise<void> => {
  await Promise.all([...living].map((child) => child.kill()));
};

export type Program =
  | "log-writer"
  | "turn-writer"
  | "holder"
  | "poisoner"
  | "power-cut-record"
  | "power-cut-check";

/** Starts one of the programs beside this file from source. */
export function startChild(program: Program, ...args: readonly string[]): Child {
  const path = join(import.meta.dirname, `${program}.ts`);
  const flags = ["--import", "tsx", "--conditions=@mull/source"];
  const child = spawn(process.execPath, [...flags, path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  let errors = "";
  let isOver = false;
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const watcher of watchers) watcher();
  });
  const ended = new Promise<number | null>((done) => {
    child.on("close", (code) => {
      isOver = true;
      for (const watcher of watchers) watcher();
      done(code);
    });
  });
  const waitFor = (start: string): Promise<string> =>
    new Promise((found, missing) => {
      const look = (): void => {
        const line = lines.find((each) => each.startsWith(start));
        if (line === undefined && !isOver) return;
        watchers.delete(look);
        if (line !== undefined) found(line);
        else missing(new Error(`${program} ended without "${start}": ${errors}`));
      };
      watchers.add(look);
      look();
    });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  const started: Child = {
    pid: child.pid ?? 0,
    lines,
    waitFor,
    errors: () => errors,
    kill,
    ended,
  };
  living.add(started);
  void ended.then(() => living.delete(started));
  return started;
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** `MULL_CRASH_ROUNDS` sets the number for long runs; the usual one fits a test run. */
export const crashRounds = (usual: number): number =>
  Number(process.env["MULL_CRASH_ROUNDS"] ?? usual);
