import type { WireId } from "mull";
import { type Contestant, everyWire } from "../contestants/contestant.ts";
import { floor, pump } from "../contestants/floor.ts";
import { mull } from "../contestants/mull.ts";
import { loadPeers } from "../contestants/peers.ts";
import { type Measured, race } from "../measure.ts";
import type { Bar, Chart, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream, type RecordedStream } from "../streams.ts";

const chunkings = [
  { name: "16 KiB chunks", size: 16 * 1024 },
  { name: "512 byte chunks", size: 512 },
] as const;

const long = { thinking: 20_000, text: 20_000, input: 2_000 };
/** The slowest need seconds for the long one. */
const short = { thinking: 2_000, text: 2_000, input: 200 };

/** Nobody is faster by leaving something out. Not all peers know thinking on every wire. */
async function checkTally(contestant: Contestant, stream: RecordedStream): Promise<void> {
  const got = await contestant.read(stream.wire, fetchOf(stream, 4096));
  const misses = Math.abs(got.text - stream.tally.text) / stream.tally.text;
  if (contestant.kind !== "pump" && misses > 0.03) {
    throw new Error(`${contestant.name} read ${got.text} of ${stream.tally.text} characters`);
  }
}

interface Group {
  readonly wire: WireId;
  readonly chunking: string;
  readonly rows: readonly Measured[];
}

async function raceWire(
  wire: WireId,
  contestants: readonly Contestant[],
  shape: typeof long,
  rounds: number,
  warmUps: number,
): Promise<readonly Group[]> {
  const stream = makeStream(wire, shape);
  const able = contestants.filter(({ wires }) => wires.includes(wire));
  for (const contestant of able) await checkTally(contestant, stream);
  const groups: Group[] = [];
  for (const { name, size } of chunkings) {
    const fetch = fetchOf(stream, size);
    const entrants = able.map((each) => ({ name: each.name, run: () => each.read(wire, fetch) }));
    groups.push({ wire, chunking: name, rows: await race(entrants, rounds, warmUps) });
  }
  return groups;
}

const table = ({ wire, chunking, rows }: Group): Table => ({
  name: `${wire}, ${chunking}`,
  columns: ["", "CPU, x floor", "spread", "wall, x floor", "CPU, ms"],
  rows: rows.map((row) => [row.name, row.cpuRatio, row.spread, row.wallRatio, row.cpu]),
});

const ratioOf = ({ rows }: Group, name: string): number =>
  rows.find((row) => row.name === name)?.cpuRatio ?? NaN;

const floorBars = (groups: readonly Group[]): readonly Bar[] =>
  groups.map((group) => ({
    what: `mull on ${group.wire}, ${group.chunking}, x floor`,
    most: 0.9,
    measured: ratioOf(group, "mull"),
  }));

const least = (rows: readonly Measured[]): number =>
  Math.min(...rows.map(({ cpuRatio }) => cpuRatio));

/** What mull takes of the time of others: a fifth of the next unifying library, a fifteenth of the AI SDK. */
function peerBars(groups: readonly Group[], peers: readonly Contestant[]): readonly Bar[] {
  const unified = new Set(peers.filter(({ kind }) => kind === "unified").map(({ name }) => name));
  return groups.flatMap((group) => {
    const own = ratioOf(group, "mull");
    const others = group.rows.filter(({ name }) => name !== "mull");
    const where = `${group.wire}, ${group.chunking}`;
    return [
      {
        what: `mull / official SDK's raw iterator, ${where}`,
        most: 1,
        measured: own / ratioOf(group, "official SDK, raw"),
      },
      {
        what: `mull / fastest unifying library, ${where}`,
        most: 0.2,
        measured: own / least(others.filter(({ name }) => unified.has(name))),
      },
      {
        what: `mull / AI SDK streamText, ${where}`,
        most: 0.067,
        measured: own / ratioOf(group, "AI SDK, streamText"),
      },
    ];
  });
}

const chart = (group: Group): Chart => ({
  name: `decode-${group.wire}`,
  title: `${group.wire}: CPU time to read a streamed answer`,
  unit: "x floor",
  limit: 1,
  values: group.rows
    .filter(({ name }) => name !== "pump")
    .map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
});

async function runDecode(): Promise<ScenarioReport> {
  const own: Group[] = [];
  for (const wire of everyWire) {
    own.push(...(await raceWire(wire, [floor, pump, mull], long, 9, 5)));
  }
  return {
    id: "s1",
    title: "S1: decoding a stream",
    text: "20,000 thinking, 20,000 text and 2,000 argument deltas, read event by event. The floor adds them up itself; mull does so inside and hands the whole out with its last event, so its reader only looks at each delta. No collection of garbage is forced between rounds: with one before every run, which shrinks the young generation, mull loses more than the floor does (1.56, 1.34, 1.28 and 0.93 times the floor on the four wires, 16 KiB chunks).",
    tables: own.map(table),
    bars: floorBars(own),
    charts: [],
  };
}

async function runPeers(): Promise<ScenarioReport> {
  const peers = await loadPeers();
  const groups: Group[] = [];
  for (const wire of everyWire) {
    groups.push(...(await raceWire(wire, [floor, mull, ...peers], short, 7, 4)));
  }
  return {
    id: "s1-peers",
    title: "S1: decoding, beside other libraries",
    text: "A tenth of the stream of S1, because the slowest need seconds for all of it.",
    tables: groups.map(table),
    bars: peers.length === 0 ? [] : peerBars(groups, peers),
    charts: groups.filter(({ chunking }) => chunking === chunkings[0].name).map(chart),
  };
}

export const decode: Scenario = { id: "s1", run: runDecode };
export const decodePeers: Scenario = { id: "s1-peers", run: runPeers };
