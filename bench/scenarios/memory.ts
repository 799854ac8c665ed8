import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { WireId } from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { median } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";
import { makeStream } from "../streams.ts";

const child = fileURLToPath(new URL("../read-child.ts", import.meta.url));
const rounds = 7;
const readers = ["pump", "floor", "mull"] as const;

/** Peak of a fresh process in MiB. */
async function peakOf(name: string, wire: WireId, file: string): Promise<number> {
  const args = ["--import", "tsx", child, name, wire, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout) / 1024;
}

/** One process per processor at a time, because time is not measured here. */
async function eachInParallel(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const open = jobs.values();
  const work = async (): Promise<void> => {
    for (const job of open) await job();
  };
  await Promise.all(cpus().map(work));
}

async function measureWire(
  wire: WireId,
  folder: string,
): Promise<readonly [WireId, number, number, number, number]> {
  const file = join(folder, wire);
  await writeFile(file, makeStream(wire, { thinking: 40_000, text: 40_000, input: 0 }).bytes);
  const peaks = readers.map((name) => ({ name, of: [] as number[] }));
  const jobs = Array.from({ length: rounds }, () =>
    peaks.map(({ name, of }) => async () => {
      of.push(await peakOf(name, wire, file));
    }),
  ).flat();
  await eachInParallel(jobs);
  const [pump, floor, mull] = peaks.map(({ of }) => median(of)) as [number, number, number];
  return [wire, pump, floor, mull, mull / floor];
}

async function run(): Promise<ScenarioReport> {
  const folder = await mkdtemp(join(tmpdir(), "mull-bench-"));
  try {
    const rows = [];
    for (const wire of everyWire) rows.push(await measureWire(wire, folder));
    return {
      id: "memory",
      title: "Peak memory",
      text: "Resident memory of a process that reads one answer of 80,000 deltas from a file, its peak in MiB. The pump, which keeps nothing, shows what the runtime needs.",
      tables: [{ name: "peak, MiB", columns: ["", ...readers, "x floor"], rows }],
      bars: rows.map(([wire, , , , ratio]) => ({
        what: `peak memory, ${wire}, x floor`,
        most: 1.2,
        measured: ratio,
      })),
      charts: [],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const memory: Scenario = { id: "memory", run };
