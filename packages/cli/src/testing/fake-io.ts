import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

import type { Io } from "../frame/io.ts";
import { run } from "../run.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface FakeIo {
  readonly stdin?: string | AsyncIterable<string> | undefined;
  readonly env?: Io["env"];
  readonly cwd?: string;
  readonly home?: string;
  readonly terminal?: Partial<Io["terminal"]>;
  readonly columns?: number;
  readonly redraw?: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Takes the lines instead of keeping them. */
  readonly out?: (text: string) => Promise<void>;
}

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** An empty home of its own, so that nobody's configuration is read; it goes with the test file. */
export function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), "mull-cli-"));
  homes.push(home);
  return home;
}

/** Runs the command in process. Without `stdin` a terminal stands there. */
export async function mull(argv: readonly string[], fake: FakeIo = {}): Promise<Ran> {
  let out = "";
  let err = "";
  const home = fake.home ?? emptyHome();
  const code = await run(argv, {
    stdin: typeof fake.stdin === "object" ? fake.stdin : source(fake.stdin ?? ""),
    out:
      fake.out ??
      ((text) => {
        out += text;
        return Promise.resolve();
      }),
    err: (text) => {
      err += text;
    },
    env: fake.env ?? {},
    cwd: fake.cwd ?? home,
    home,
    terminal: { stdin: fake.stdin === undefined, stdout: false, stderr: false, ...fake.terminal },
    columns: fake.columns,
    redraw: fake.redraw,
    mayBeSilent: false,
    signal: fake.signal ?? new AbortController().signal,
    now: () => Date.UTC(2026, 10, 15),
  });
  return { code, out, err };
}

async function* source(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

export const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, unknown> => JSON.parse(line));
