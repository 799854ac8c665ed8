import type { WireId } from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { floor, pump } from "../contestants/floor.ts";
import { mull } from "../contestants/mull.ts";
import { garbageCollector, type Measured } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { makeStream } from "../streams.ts";
import {
  chunkings,
  fullStream,
  raceReaders,
  ratioOf,
  readsThinking,
  tenthOfStream,
} from "./decode-race.ts";

interface Group {
  readonly wire: WireId;
  readonly chunking: string;
  readonly rows: readonly Measured[];
}

const table = ({ wire, chunking, rows }: Group): Table => ({
  name: `${wire}, ${chunking}`,
  columns: ["", "CPU, x floor", "spread", "wall, x floor", "CPU, ms"],
  rows: rows.map((row) => [row.name, row.cpuRatio, row.spread, row.wallRatio, row.cpu]),
});

const floorBar = ({ wire, chunking, rows }: Group): Bar => ({
  what: `mull on ${wire}, ${chunking}, x floor`,
  most: chunking === chunkings[0].name ? 0.95 : 0.9,
  measured: ratioOf(rows, "mull"),
});

const contestants = [floor, pump, mull];
const usualAnswer = { thinking: 600, text: 600, input: 100 };

/** As in the work of an agent: an answer, then something else that leaves garbage, then an answer. */
async function raceCollected(): Promise<readonly Group[]> {
  const collect = garbageCollector();
  const groups: Group[] = [];
  const [, chunking] = chunkings;
  for (const wire of everyWire) {
    const rows = await raceReaders(wire, contestants, usualAnswer, chunking, 31, 10, collect);
    groups.push({ wire, chunking: `${chunking.name}, 1,300 deltas after a collection`, rows });
  }
  return groups;
}

/** Each event in a chunk of its own, as services send it. The platform's streams then cost more than any reader. */
async function raceEvents(): Promise<readonly Group[]> {
  const groups: Group[] = [];
  const chunking = { name: "an event a chunk", size: "event" } as const;
  for (const wire of everyWire) {
    const rows = await raceReaders(wire, contestants, tenthOfStream, chunking, 31, 10);
    groups.push({ wire, chunking: chunking.name, rows });
  }
  return groups;
}

async function run(): Promise<ScenarioReport> {
  const groups: Group[] = [];
  for (const wire of everyWire) {
    const stream = makeStream(wire, fullStream);
    for (const contestant of contestants) await readsThinking(contestant, stream);
    for (const chunking of chunkings) {
      const rows = await raceReaders(wire, contestants, fullStream, chunking, 9, 5);
      groups.push({ wire, chunking: chunking.name, rows });
    }
  }
  return {
    id: "s1",
    title: "S1: decoding a stream",
    text: "20,000 thinking, 20,000 text and 2,000 argument deltas, read event by event. The floor adds them up itself; mull does so inside and hands the whole out with its last event, so its reader only looks at each delta. The bars are for runs as they come. Behind them stand two more kinds of tables, without bars. Services often flush after every event, so that a chunk is an event: most of the time then goes to the streams of the platform, as the pump shows. The last tables are of answers of usual length, each read after a collection of garbage, as happens while a tool runs. V8 throws away what it compiled for objects that are gone by then, so every reader begins slowly again.",
    tables: [...groups, ...(await raceEvents()), ...(await raceCollected())].map(table),
    bars: groups.map(floorBar),
    charts: [],
  };
}

export const decode: Scenario = { id: "s1", run };
