import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { WireId } from "mull";
import { type Contestant, everyWire } from "../contestants/contestant.ts";
import { floor } from "../contestants/floor.ts";
import { mull } from "../contestants/mull.ts";
import { loadPeers } from "../contestants/peers.ts";
import { median, type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const script = fileURLToPath(new URL("../stream-server.ts", import.meta.url));

async function startServer(deltas: number): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", script, String(deltas)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, origin: `http://127.0.0.1:${String(line).trim()}` };
}

const requests = 40;

const table = (name: string, rows: readonly Measured[]): Table => ({
  name,
  columns: ["", "wall, x floor", "CPU, x floor", "spread", "wall, ms"],
  rows: rows.map((row) => [row.name, row.wallRatio, row.cpuRatio, row.spread, row.wall]),
});

/** Milliseconds until something that is said arrives, in turns. */
async function firstEvents(wire: WireId, base: string): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < 60; i++) {
    for (const [at, contestant] of [floor, mull].entries()) {
      const started = performance.now();
      let first = NaN;
      await contestant.read(wire, fetch, base, () => {
        first = performance.now() - started;
      });
      if (i >= 20) times[at]!.push(first);
    }
  }
  return [median(times[0]), median(times[1])];
}

async function run(): Promise<ScenarioReport> {
  const peers = await loadPeers();
  const tables: Table[] = [];
  const bars: Bar[] = [];
  const { child, origin } = await startServer(20);
  try {
    const firsts: (readonly [string, number, number, number])[] = [];
    for (const wire of everyWire) {
      const base = `${origin}/${wire}`;
      const able = wire === "anthropic-messages" ? peers : [];
      const contestants: readonly Contestant[] = [
        floor,
        mull,
        ...able.filter(({ wires }) => wires.includes(wire)),
      ];
      const entrants = contestants.map((contestant) => ({
        name: contestant.name,
        run: async () => {
          for (let i = 0; i < requests; i++) await contestant.read(wire, fetch, base);
        },
      }));
      const rows = await race(entrants, 9, 3);
      tables.push(table(`${requests} short answers one after another, ${wire}`, rows));
      const [reference, own] = await firstEvents(wire, base);
      firsts.push([wire, reference, own, own / reference]);
      bars.push(
        { what: `first event, ${wire}, x floor`, most: 1.1, measured: own / reference },
        {
          what: `a request, wall, ${wire}, x floor`,
          most: 1.1,
          measured: rows.find(({ name }) => name === "mull")?.wallRatio ?? NaN,
        },
      );
    }
    tables.push({
      name: "first event, ms",
      columns: ["", "floor", "mull", "x floor"],
      rows: firsts,
    });
  } finally {
    child.kill();
  }
  return {
    id: "s2",
    title: "S2: over loopback HTTP",
    text: "Short answers (20 thinking, 20 text deltas) from a server in another process, through the runtime's own `fetch`.",
    tables,
    bars,
    charts: [],
  };
}

export const loopback: Scenario = { id: "s2", run };
