import { everyWire } from "../contestants/contestant.ts";
import { mull } from "../contestants/mull.ts";
import { median, sample } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream, type StreamShape } from "../streams.ts";
import type { WireId } from "mull";

interface Step {
  readonly size: number;
  readonly shape: StreamShape;
  readonly chunk: number;
  /** How often it is read for one sample: a single short stream would mostly measure the garbage collector. */
  readonly repeats: number;
}

const base: StreamShape = { thinking: 2000, text: 2000, input: 200 };

/** What grows, in steps of four. */
const axes: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  {
    name: "stream length",
    steps: [5000, 20_000, 80_000].map((size) => ({
      size,
      shape: { thinking: size / 2, text: size / 2, input: 0 },
      chunk: 16_384,
      repeats: Math.ceil(20_000 / size),
    })),
  },
  {
    name: "argument length",
    steps: [2000, 8000, 32_000].map((size) => ({
      size,
      shape: { thinking: 10, text: 10, input: size },
      chunk: 16_384,
      repeats: Math.ceil(8000 / size),
    })),
  },
  {
    name: "chunk size",
    steps: [4096, 65_536, 1_048_576].map((chunk) => ({
      size: chunk,
      shape: { ...base, thinking: 20_000, text: 20_000 },
      chunk,
      repeats: 1,
    })),
  },
];

const warmUps = 2;
const rounds = 7;

/** CPU time of one reading at every step. The steps run in turns, so that other load on the machine affects all of them. */
async function timesOf(wire: WireId, steps: readonly Step[]): Promise<readonly number[]> {
  const runners = steps.map(({ shape, chunk, repeats }) => ({
    fetch: fetchOf(makeStream(wire, shape), chunk),
    repeats,
    times: [] as number[],
  }));
  for (let round = -warmUps; round < rounds; round++) {
    for (const { fetch, repeats, times } of runners) {
      const { cpu } = await sample(async () => {
        for (let i = 0; i < repeats; i++) await mull.read(wire, fetch);
      });
      if (round >= 0) times.push(cpu / repeats);
    }
  }
  return runners.map(({ times }) => median(times));
}

/** Slope of log time over log size. Time that does not depend on size has slope 0, so 1 is added for chunks. */
function exponentOf(sizes: readonly number[], times: readonly number[]): number {
  const last = sizes.length - 1;
  return Math.log(times[last]! / times[0]!) / Math.log(sizes[last]! / sizes[0]!);
}

/** Warms up first: otherwise the first, shortest streams would include compilation, and nothing would seem to grow. */
async function warmUp(): Promise<void> {
  for (const wire of everyWire) {
    const fetch = fetchOf(makeStream(wire, base), 4096);
    for (let i = 0; i < 20; i++) await mull.read(wire, fetch);
  }
}

async function run(): Promise<ScenarioReport> {
  const tables: Table[] = [];
  const bars: Bar[] = [];
  await warmUp();
  for (const { name, steps } of axes) {
    const rows: (readonly (string | number)[])[] = [];
    for (const wire of everyWire) {
      const times = await timesOf(wire, steps);
      const slope = exponentOf(
        steps.map(({ size }) => size),
        times,
      );
      // The same bytes in larger chunks: constant time is exponent 1 by the size of a chunk's work.
      const exponent = name === "chunk size" ? slope + 1 : slope;
      rows.push([wire, ...times, exponent]);
      bars.push({ what: `exponent of ${name}, ${wire}`, most: 1.05, measured: exponent });
    }
    tables.push({
      name: `CPU in ms by ${name}`,
      columns: ["", ...steps.map(({ size }) => String(size)), "exponent"],
      rows,
    });
  }
  return {
    id: "growth",
    title: "Growth",
    text: "CPU time of mull with longer streams, longer tool arguments and larger network chunks.",
    tables,
    bars,
    charts: [],
  };
}

export const growth: Scenario = { id: "growth", run };
