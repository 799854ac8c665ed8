import type { WireId } from "mull";
import { type Contestant, everyWire } from "../contestants/contestant.ts";
import { floor } from "../contestants/floor.ts";
import { mull } from "../contestants/mull.ts";
import { loadPeers } from "../contestants/peers.ts";
import { type Measured, sample } from "../measure.ts";
import type { Bar, Cell, Chart, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream } from "../streams.ts";
import {
  type Chunking,
  chunkings,
  fullStream,
  raceReaders,
  ratioOf,
  readsThinking,
  tenthOfStream,
} from "./decode-race.ts";

const rounds = 7;
const warmUps = 1;
/** What the races of one wire may take. */
const budgetMs = 40_000;

interface Probe {
  readonly peer: Contestant;
  /** A tenth of the stream, when warm. */
  readonly ms: number;
  readonly readsThinking: boolean;
}

async function probe(peer: Contestant, wire: WireId): Promise<Probe> {
  const stream = makeStream(wire, tenthOfStream);
  const thinks = await readsThinking(peer, stream);
  const fetch = fetchOf(stream, chunkings[0].size);
  let ms = Infinity;
  for (let i = 0; i < 4; i++) {
    const { wall } = await sample(() => peer.read(wire, fetch));
    ms = Math.min(ms, wall);
  }
  return { peer, ms, readsThinking: thinks };
}

/**
 * The vendor's own library and the fastest that unifies read the whole stream, and so do others while
 * the time allows, fastest first; the rest a tenth of it.
 */
function chooseFullReaders(probes: readonly Probe[]): ReadonlySet<Contestant> {
  const runs = (rounds + warmUps) * chunkings.length;
  const byTime = probes.toSorted((a, b) => a.ms - b.ms);
  const fastest = byTime.find(({ peer }) => peer.kind === "unified");
  const chosen = new Set<Contestant>();
  let leftMs = budgetMs - probes.reduce((sum, { ms }) => sum + ms * runs, 0);
  for (const { peer, ms } of byTime) {
    leftMs -= ms * runs * 9;
    if (leftMs > 0 || peer.kind === "raw" || peer === fastest?.peer) chosen.add(peer);
  }
  return chosen;
}

interface Row extends Measured {
  readonly isFull: boolean;
  /** Over mull in the same race. */
  readonly overMull: number;
}

/**
 * A library that reads a tenth of the stream in a few milliseconds reads it ten times. Otherwise the
 * garbage collector, still busy with the others' objects, would be most of the measured time.
 */
const readAgain = (contestant: Contestant, readings: number): Contestant => ({
  ...contestant,
  read: async (...given) => {
    for (let again = 1; again < readings; again++) await contestant.read(...given);
    return contestant.read(...given);
  },
});

const perReading = (row: Measured, readings: number): Measured => ({
  ...row,
  cpu: row.cpu / readings,
  wall: row.wall / readings,
});

/** Beside one reading of the floor's, not all of them. */
const overOne = (row: Measured, readings: number): Measured => ({
  ...row,
  cpuRatio: row.cpuRatio * readings,
  wallRatio: row.wallRatio * readings,
  spread: row.spread * readings,
});

async function raceOne(
  wire: WireId,
  peers: readonly Contestant[],
  chunking: Chunking,
  isFull: boolean,
): Promise<readonly Row[]> {
  const readings = isFull ? 1 : 10;
  const contestants = [floor, mull].map((quick) => readAgain(quick, readings));
  const raced = await raceReaders(
    wire,
    [...contestants, ...peers],
    isFull ? fullStream : tenthOfStream,
    chunking,
    rounds,
    warmUps,
  );
  const rows = raced.map((row, at) =>
    at < 2 ? perReading(row, readings) : overOne(row, readings),
  );
  const own = ratioOf(rows, "mull");
  return rows.map((row) => ({ ...row, isFull, overMull: row.cpuRatio / own }));
}

async function raceAll(
  wire: WireId,
  peers: readonly Contestant[],
  full: ReadonlySet<Contestant>,
  chunking: Chunking,
): Promise<readonly Row[]> {
  const fast = peers.filter((peer) => full.has(peer));
  const slow = peers.filter((peer) => !full.has(peer));
  const rows = await raceOne(wire, fast, chunking, true);
  if (slow.length === 0) return rows;
  return [...rows, ...(await raceOne(wire, slow, chunking, false)).slice(2)];
}

const table = ({ name }: Chunking, rows: readonly Row[]): Table => ({
  name,
  columns: ["", "stream", "CPU, x floor", "spread", "CPU, x mull", "wall, x floor", "CPU, ms"],
  rows: rows.map((row): readonly Cell[] => [
    row.name,
    row.isFull ? "whole" : "a tenth",
    row.cpuRatio,
    row.spread,
    row.overMull,
    row.wallRatio,
    row.cpu,
  ]),
});

const leastOverMull = (rows: readonly Row[], names: ReadonlySet<string>): number =>
  Math.min(...rows.filter(({ name }) => names.has(name)).map(({ overMull }) => overMull));

/** What mull takes of the time of others. */
function barsOf(
  wire: WireId,
  chunking: Chunking,
  rows: readonly Row[],
  peers: readonly Contestant[],
): readonly Bar[] {
  const unified = new Set(peers.filter(({ kind }) => kind === "unified").map(({ name }) => name));
  const bar = (whom: string, names: ReadonlySet<string>, most: number): Bar => ({
    what: `mull / ${whom}, ${wire}, ${chunking.name}`,
    most,
    measured: 1 / leastOverMull(rows, names),
  });
  return [
    bar("official SDK's raw iterator", new Set(["official SDK, raw"]), 1),
    bar("fastest unifying library", unified, 1 / 5),
    bar("AI SDK streamText", new Set(["AI SDK, streamText"]), 1 / 15),
  ];
}

const chartOf = (wire: WireId, rows: readonly Row[]): Chart => ({
  name: `decode-${wire}`,
  title: `${wire}: CPU time to read a streamed answer`,
  unit: "x floor",
  limit: 1,
  values: rows.map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
});

function textOf(probes: readonly Probe[]): string {
  if (probes.length === 0) return "No other library is installed: `npm run bench:peers`.";
  const silent = probes.filter(({ readsThinking: reads }) => !reads).map(({ peer }) => peer.name);
  return [
    "The stream of S1. Libraries too slow for seven rounds of it in the time there is read a tenth of it, beside a floor and a mull that do so too.",
    ...(silent.length > 0 ? [`Thinking is not read here by ${silent.join(", ")}.`] : []),
  ].join(" ");
}

async function run(id: string, wire: WireId): Promise<ScenarioReport> {
  const peers = (await loadPeers()).filter(({ wires }) => wires.includes(wire));
  const warm = fetchOf(makeStream(wire, fullStream), chunkings[0].size);
  for (let i = 0; i < 4; i++) for (const { read } of [floor, mull]) await read(wire, warm);
  const probes: Probe[] = [];
  for (const peer of peers) probes.push(await probe(peer, wire));
  const full = chooseFullReaders(probes);
  const tables: Table[] = [];
  const bars: Bar[] = [];
  const charts: Chart[] = [];
  for (const chunking of peers.length > 0 ? chunkings : []) {
    const rows = await raceAll(wire, peers, full, chunking);
    tables.push(table(chunking, rows));
    bars.push(...barsOf(wire, chunking, rows, peers));
    if (chunking === chunkings[0]) charts.push(chartOf(wire, rows));
  }
  const title = `S1: decoding ${wire}, beside other libraries`;
  return { id, title, text: textOf(probes), tables, bars, charts };
}

/** A wire at a time, each in a process of its own. */
export const decodePeers: readonly Scenario[] = everyWire.map((wire) => {
  const id = `s1-peers-${wire}`;
  return { id, run: () => run(id, wire) };
});
