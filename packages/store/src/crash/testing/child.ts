import { spawn } from "node:child_process";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { bundlePrograms } from "../../../../../test/programs.ts";

export interface Child {
  readonly pid: number;
  /** The whole lines it has printed. A line that a kill cut short is left out. */
  readonly lines: readonly string[];
  /**
   * Resolves with the first line that starts like this; rejects when the child ends without one.
   */
  readonly waitFor: (start: string) => Promise<string>;
  readonly errors: () => string;
  readonly kill: () => Promise<void>;
  /** Its exit code; `null` when it was killed. */
  readonly ended: Promise<number | null>;
}

const programs = [
  "log-writer",
  "turn-writer",
  "holder",
  "importer",
  "poisoner",
  "power-cut-record",
  "power-cut-check",
] as const;
export type Program = (typeof programs)[number];

/** Child processes of one test file. */
export interface Children {
  readonly start: (program: Program, ...args: readonly string[]) => Child;
  /** Call it at the end of a test: a child must not outlive a test that failed. */
  readonly kill: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Builds the programs in this folder so that they can be started. */
export async function prepareChildren(): Promise<Children> {
  const folder = "packages/store/src";
  const sources = programs.map((name) => [name, `${folder}/crash/testing/${name}.ts`] as const);
  const made = await bundlePrograms("store", {
    ...Object.fromEntries(sources),
    worker: `${folder}/pglite/worker.ts`,
  });
  const living = new Set<Child>();
  const kill = async (): Promise<void> => {
    await Promise.all([...living].map((child) => child.kill()));
  };
  return {
    start: (program, ...args) => {
      const child = startChild(made.pathOf(program), args);
      living.add(child);
      void child.ended.then(() => living.delete(child));
      return child;
    },
    kill,
    remove: async () => {
      await kill();
      await made.remove();
    },
  };
}

function startChild(path: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "pipe"] });
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
        else missing(new Error(`${basename(path)} ended without "${start}": ${errors}`));
      };
      watchers.add(look);
      look();
    });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { pid: child.pid ?? 0, lines, waitFor, errors: () => errors, kill, ended };
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
