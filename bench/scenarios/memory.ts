import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { everyWire } from "../contestants/contestant.ts";
import { median } from "../measure.ts";
import type { Scenario, ScenarioReport } from "../report.ts";

const child = fileURLToPath(new URL("../read-child.ts", import.meta.url));
const deltas = "80000";
const runs = 5;

const peakOf = (name: string, wire: string): number =>
  Number(
    execFileSync(process.execPath, ["--import", "tsx", child, name, wire, deltas], {
      encoding: "utf8",
    }),
  ) / 1024;

function run(): Promise<ScenarioReport> {
  const rows = everyWire.map((wire) => {
    const peaks = { pump: [] as number[], floor: [] as number[], mull: [] as number[] };
    for (let i = 0; i < runs; i++) {
      peaks.pump.push(peakOf("pump", wire));
      peaks.floor.push(peakOf("floor", wire));
      peaks.mull.push(peakOf("mull", wire));
    }
    const [own, reference] = [median(peaks.mull), median(peaks.floor)];
    return [wire, median(peaks.pump), reference, own, own / reference] as const;
  });
  return Promise.resolve({
    id: "memory",
    title: "Peak memory",
    text: "Resident memory of a process that reads one answer of 80,000 deltas, its peak in MiB. Most of it is the runtime and the stream itself, as the pump shows: this tells that nothing is out of hand, not who needs less.",
    tables: [{ name: "peak, MiB", columns: ["", "pump", "floor", "mull", "x floor"], rows }],
    bars: rows.map(([wire, , , , ratio]) => ({
      what: `peak memory, ${wire}, x floor`,
      most: 1.2,
      measured: ratio,
    })),
    charts: [],
  });
}

export const memory: Scenario = { id: "memory", run };
