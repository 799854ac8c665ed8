import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashSeed, report, roundsOf } from "../crash-rounds.ts";
import { bundlePrograms, type Programs } from "../programs.ts";

const run = promisify(execFile);
let folder: string;
let programs: Programs;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-power-"));
  programs = await bundlePrograms("server", {
    record: "test/power-cut/server-record.ts",
    check: "test/power-cut/server-check.ts",
  });
}, 60_000);
afterAll(async () => {
  await programs.remove();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const start = async (program: string, ...args: readonly string[]): Promise<readonly string[]> => {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run(process.execPath, [programs.pathOf(program), ...args], options);
  return stdout.trimEnd().split("\n");
};

interface Seen {
  readonly labels: readonly string[];
  readonly problems: readonly unknown[];
  readonly end: string;
}

test(
  "F-D3: a server whose power was cut shows all it had acknowledged, and answers the next question",
  { timeout: 1_800_000 },
  async () => {
    const rounds = roundsOf("power cut of a server");
    const work = join(folder, randomUUID());
    const lines = await start("record", work, String(rounds), String(crashSeed()));
    let kept = 0;
    const [, id = "", cookie = ""] = lines[0]?.split(" ") ?? [];
    const look = async (line: string): Promise<{ readonly seen: Seen; readonly lost: number }> => {
      const at = line.indexOf("[");
      const [, target = ""] = line.slice(0, at).split(" ");
      const acknowledged = JSON.parse(line.slice(at)) as readonly string[];
      const [found = ""] = await start("check", target, id, cookie);
      await rm(target, { recursive: true });
      const seen = JSON.parse(found) as Seen;
      const lost = acknowledged.filter((label) => !seen.labels.includes(label)).length;
      kept += acknowledged.length;
      return { seen, lost };
    };
    const trials = lines.filter((line) => line.startsWith("trial "));
    expect(trials).toHaveLength(rounds);
    for (const trial of trials) {
      const { seen, lost } = await look(trial);
      expect([trial, lost, seen.end, seen.problems]).toEqual([trial, 0, "finish", []]);
    }
    report("power cut of a server", rounds, `${kept} questions and answers kept, none lost`);
    const control = await look(lines.at(-1) ?? "").catch(() => undefined);
    expect(control?.lost).not.toBe(0);
  },
);
