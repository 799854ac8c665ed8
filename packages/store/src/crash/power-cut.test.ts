import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { crashRounds, killChildren, startChild } from "./testing/child.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mull-power-"));
});
afterEach(killChildren);
afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  "D3: after a power cut every acknowledged row is there and the indexes agree",
  { timeout: 900_000 },
  async () => {
    const seed = process.env["MULL_CRASH_SEED"] ?? "1";
    const recorder = startChild("power-cut-record", folder, String(crashRounds(2)), seed);
    expect([await recorder.ended, recorder.errors()]).toEqual([0, ""]);
    expect(Number(recorder.lines[0]?.split(" ")[1])).toBeGreaterThan(60);
    const trials = recorder.lines.filter((line) => line.startsWith("trial "));
    expect(trials).toHaveLength(crashRounds(2));
    for (const trial of trials) {
      const { acknowledged, found, errors } = await look(trial);
      expect([trial, errors]).toEqual([trial, ""]);
      if (found === undefined) continue;
      expect(found.byTable).toEqual(found.byTable.map((_, index) => index));
      expect(found.byTable.length).toBeGreaterThanOrEqual(acknowledged);
      expect(found.byIndex).toEqual(found.byTable);
      expect(found.latest).toBe(found.byTable.length - 1);
    }
    const control = await look(recorder.lines.at(-1) ?? "");
    expect(control.found?.byTable.length ?? 0).toBeLessThan(control.acknowledged);
  },
);

interface Found {
  readonly byTable: readonly number[];
  readonly byIndex: readonly number[];
  readonly latest: number;
}

interface Look {
  readonly acknowledged: number;
  readonly found: Found | undefined;
  readonly errors: string;
}

/** What a fresh process finds; nothing when the database does not open or does not read. */
async function look(trial: string): Promise<Look> {
  const [, acknowledged, target = ""] = trial.split(" ");
  const check = startChild("power-cut-check", target);
  const code = await check.ended;
  const found = code === 0 ? (JSON.parse(check.lines[0] ?? "") as Found) : undefined;
  await rm(target, { recursive: true });
  return { acknowledged: Number(acknowledged), found, errors: check.errors() };
}
