import type { Loaded, Stage } from "../children.ts";
import { ask, repeat } from "../client.ts";
import { dataFolder } from "../data-folder.ts";
import { median, ms, ratios, shuffled, spread, type Line, type Row } from "../row.ts";

const events = 500;
/** A turn of next to nothing: what is left is what the events of a long one cost. */
const fewEvents = 2;
const atOnce = 50;
const streams = 150;
const rounds = 8;

type Who = "bare" | "relay" | "memory" | "embedded";

interface Round {
  /** Microseconds per event of a turn of 500. */
  readonly mainThread: number;
  readonly allThreads: number;
  /** The same without what a turn costs that has no events to speak of. */
  readonly eventsAlone: number;
  readonly firstByteMs: number;
}

interface Turns {
  /** Microseconds per turn. */
  readonly mainThread: number;
  readonly allThreads: number;
  readonly firstByteMs: number;
}

async function measureTurns(server: Loaded, length: number): Promise<Turns> {
  const before = await server.read();
  const waits: number[] = [];
  await repeat(streams, atOnce, async () => {
    waits.push((await ask(server, { kind: "burst", events: length })).firstByteMs);
  });
  const after = await server.read();
  const each = (from: number, to: number): number => (to - from) / 1000 / streams;
  return {
    mainThread: each(before.mainThread, after.mainThread),
    allThreads: each(before.allThreads, after.allThreads),
    firstByteMs: median(waits),
  };
}

async function measureRound(server: Loaded): Promise<Round> {
  const long = await measureTurns(server, events);
  const short = await measureTurns(server, fewEvents);
  return {
    mainThread: long.mainThread / events,
    allThreads: long.allThreads / events,
    eventsAlone: (long.mainThread - short.mainThread) / (events - fewEvents),
    firstByteMs: long.firstByteMs,
  };
}

interface Comparison {
  readonly measure: string;
  readonly of: keyof Round;
  readonly own: Who;
  readonly beside: Who;
  readonly most: number;
}

const comparisons: readonly Comparison[] = [
  {
    measure: "main thread, per event, turns of 500 events",
    of: "mainThread",
    own: "memory",
    beside: "bare",
    most: 2.5,
  },
  {
    measure: "main thread, per event, without what every turn costs",
    of: "eventsAlone",
    own: "memory",
    beside: "bare",
    most: 2.5,
  },
  {
    measure: "main thread, per event, embedded store",
    of: "mainThread",
    own: "embedded",
    beside: "bare",
    most: 4,
  },
  {
    measure: "all threads, per event, embedded store",
    of: "allThreads",
    own: "embedded",
    beside: "bare",
    most: 4,
  },
  {
    measure: "first byte, 50 streams at a time",
    of: "firstByteMs",
    own: "memory",
    beside: "relay",
    most: 4,
  },
  {
    measure: "first byte, 50 streams at a time, embedded store",
    of: "firstByteMs",
    own: "embedded",
    beside: "relay",
    most: 4,
  },
];

function lineOf(found: ReadonlyMap<Who, readonly Round[]>, comparison: Comparison): Line {
  const { measure, of, own, beside, most } = comparison;
  const valuesOf = (who: Who): readonly number[] => found.get(who)!.map((round) => round[of]);
  const write = (who: Who): string => {
    const value = median(valuesOf(who));
    return of === "firstByteMs" ? ms(value) : `${value.toFixed(2)} µs`;
  };
  const each = ratios(valuesOf(own), valuesOf(beside));
  return {
    measure,
    mull: write(own),
    beside: `${beside} ${write(beside)}`,
    ratio: spread(each),
    target: `≤ ${most} x`,
    holds: median(each) <= most,
  };
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const data = await dataFolder();
  const servers: readonly (readonly [Who, Loaded])[] = [
    ["bare", await stage.start({ kind: "bare" })],
    ["relay", await stage.start({ kind: "relay", upstream })],
    ["memory", await stage.start({ kind: "mull", upstream })],
    ["embedded", await stage.start({ kind: "mull", upstream, data })],
  ];
  const found = new Map(servers.map(([who]): [Who, Round[]] => [who, []]));
  for (const [, server] of servers) await measureRound(server);
  for (let round = 0; round < rounds; round++) {
    for (const [who, server] of shuffled(servers)) {
      found.get(who)!.push(await measureRound(server));
    }
  }
  return comparisons.map((comparison) => lineOf(found, comparison));
}

export const turnCost: Row = { name: "turn", run };
