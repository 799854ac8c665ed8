import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crashSeed, report, roundsOf } from "../../../../test/crash-rounds.ts";
import { crashStage } from "./testing/stage.ts";

const stage = crashStage("power");

test(
  "F-D3: after a power cut in a turn all that was acknowledged is there, and the next turn works",
  { timeout: 1_800_000 },
  async () => {
    const rounds = roundsOf("power cut");
    const seed = String(crashSeed());
    const folder = join(stage.folder, randomUUID());
    const recorder = stage.children.start("power-cut-record", folder, String(rounds), seed);
    expect([await recorder.ended, recorder.errors()]).toEqual([0, ""]);
    expect(Number(recorder.lines[0]?.split(" ")[1])).toBeGreaterThan(60);
    const trials = recorder.lines.filter((line) => line.startsWith("trial "));
    expect(trials).toHaveLength(rounds);
    let kept = 0;
    for (const trial of trials) {
      const { acknowledged, found, errors } = await look(trial);
      expect([trial, errors]).toEqual([trial, ""]);
      expect(missingIn(found, acknowledged)).toEqual([]);
      expect(found?.states).not.toContain("running");
      expect(found?.byIndex).toEqual(found?.byTable);
      kept += acknowledged.length;
    }
    const control = await look(recorder.lines.at(-1) ?? "");
    expect(missingIn(control.found, control.acknowledged)).not.toEqual([]);
    report("power cut", rounds, `${kept} blocks acknowledged, none lost`);
  },
);

interface Found {
  readonly labels: readonly string[];
  readonly states: readonly string[];
  readonly byTable: unknown;
  readonly byIndex: unknown;
}

interface Look {
  readonly acknowledged: readonly string[];
  readonly found: Found | undefined;
  readonly errors: string;
}

const missingIn = (
  found: Found | undefined,
  acknowledged: readonly string[],
): readonly string[] => {
  const there = new Set(found?.labels);
  return acknowledged.filter((label) => !there.has(label));
};

/**
 * What a fresh process finds; `undefined` when the database doesn't open, can't be read, or can't
 * continue.
 */
async function look(trial: string): Promise<Look> {
  const [, target = "", acknowledged = "[]"] = trial.split(" ");
  const check = stage.children.start("power-cut-check", target);
  const code = await check.ended;
  const found = code === 0 ? (JSON.parse(check.lines[0] ?? "") as Found) : undefined;
  await rm(target, { recursive: true });
  return { acknowledged: JSON.parse(acknowledged) as string[], found, errors: check.errors() };
}
