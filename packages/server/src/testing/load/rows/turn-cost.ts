import type { Loaded, Stage } from "../children.ts";
import { ask, repeat } from "../client.ts";
import { dataFolder } from "../data-folder.ts";
import { median, ms, ratios, shuffled, spread, type Line, type Row } from "../row.ts";
import type { ServerPlan } from "../servers.ts";

const events = 500;
/** A turn with almost no events: the difference is what the events of a long turn cost. */
const fewEvents = 2;
const atOnce = 50;

type Who = "bare" | "relay" | "memory" | "embedded";

/** How much to measure. */
interface Effort {
  readonly streams: number;
  readonly rounds: number;
  /** Most streams until a server's figure is steady. */
  readonly warmUp: number;
  readonly who: readonly Who[];
}

interface Round {
  /** Microseconds per event of a turn of 500. */
  readonly mainThread: number;
  readonly allThreads: number;
  /** The same, minus the cost of a turn without events. */
  readonly eventsAlone: number;
  readonly firstByteMs: number;
}

interface Turns {
  /** Microseconds per turn. */
  readonly mainThread: number;
  readonly allThreads: number;
  readonly firstByteMs: number;
}

async function measureTurns(server: Loaded, length: number, streams: number): Promise<Turns> {
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

async function measureRound(server: Loaded, streams: number): Promise<Round> {
  const long = await measureTurns(server, events, streams);
  const short = await measureTurns(server, fewEvents, streams);
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

/** Servers by name; those that need a service have one each. */
async function startServers(
  stage: Stage,
  who: readonly Who[],
): Promise<readonly (readonly [Who, Loaded])[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const plans: Readonly<Record<Who, () => Promise<ServerPlan>>> = {
    bare: async () => ({ kind: "bare" }),
    relay: async () => ({ kind: "relay", upstream }),
    memory: async () => ({ kind: "mull", upstream }),
    embedded: async () => ({ kind: "mull", upstream, data: await dataFolder() }),
  };
  const servers: (readonly [Who, Loaded])[] = [];
  for (const name of who) servers.push([name, await stage.start(await plans[name]())]);
  return servers;
}

/** This much slower than the fastest round still counts as equally fast. */
const steady = 1.03;
const steadyRounds = 6;

/**
 * A server's code is compiled under load, which takes thousands of turns. So we repeat until some
 * rounds bring no improvement.
 */
async function warmUp(server: Loaded, { streams, warmUp: most }: Effort): Promise<void> {
  let fastest = Infinity;
  let without = 0;
  for (let sent = 0; sent < most && without < steadyRounds; sent += 2 * streams) {
    const { mainThread } = await measureRound(server, streams);
    without = mainThread * steady < fastest ? 0 : without + 1;
    fastest = Math.min(fastest, mainThread);
  }
}

export async function measureTurnCost(stage: Stage, effort: Effort): Promise<readonly Line[]> {
  const { streams, rounds, who } = effort;
  const servers = await startServers(stage, who);
  const found = new Map(servers.map(([name]): [Who, Round[]] => [name, []]));
  for (const [, server] of servers) await warmUp(server, effort);
  for (let round = 0; round < rounds; round++) {
    for (const [name, server] of shuffled(servers)) {
      found.get(name)!.push(await measureRound(server, streams));
    }
  }
  return comparisons
    .filter(({ own, beside }) => found.has(own) && found.has(beside))
    .map((comparison) => lineOf(found, comparison));
}

const whole: Effort = {
  streams: 150,
  rounds: 8,
  warmUp: 6000,
  who: ["bare", "relay", "memory", "embedded"],
};

export const turnCost: Row = { name: "turn", run: (stage) => measureTurnCost(stage, whole) };
