import type { Fetch, WireId } from "mull";
import { type Contestant, everyWire } from "../contestants/contestant.ts";
import { floor } from "../contestants/floor.ts";
import { mull, mullByItself } from "../contestants/mull.ts";
import { loadPeers } from "../contestants/peers.ts";
import { median, type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { startStreams } from "../start-streams.ts";

const rounds = 9;
const requests = 200;
/** Code that runs once per request is compiled late, and a real server has answered thousands of requests. */
const warmUps = 2000;
const peerRequests = 40;

/** Sends what mull sends: the same address, the same headers, the same bytes. */
async function sameRequest(wire: WireId, base: string): Promise<Fetch> {
  let url = "";
  let init: RequestInit = {};
  await mull.read(
    wire,
    (sentTo, sent) => {
      url = sentTo;
      init = { method: "POST", headers: sent.headers ?? {}, body: sent.body ?? null };
      return fetch(sentTo, sent);
    },
    base,
  );
  return () => fetch(url, init);
}

interface Request {
  readonly first: number;
  readonly wall: number;
  readonly cpu: number;
}

async function time(
  contestant: Contestant,
  wire: WireId,
  via: Fetch,
  base: string,
): Promise<Request> {
  const cpuStart = process.cpuUsage();
  const started = performance.now();
  let first = NaN;
  await contestant.read(wire, via, base, () => {
    first = performance.now() - started;
  });
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuStart);
  return { first, wall, cpu: (user + system) / 1000 };
}

const kinds = ["first", "wall", "cpu"] as const;
type Medians = Readonly<Record<(typeof kinds)[number], number>>;

const mediansOf = (measured: readonly Medians[]): Medians => {
  const of = (kind: (typeof kinds)[number]): number => median(measured.map((each) => each[kind]));
  return { first: of("first"), wall: of("wall"), cpu: of("cpu") };
};

/** One round: floor and mull in turns, request by request, so that both see the same machine. */
async function raceRequests(
  runs: readonly (() => Promise<Request>)[],
  count: number,
): Promise<readonly Medians[]> {
  const timed = runs.map((): Request[] => []);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < runs.length; k++) {
      const at = (i + k) % runs.length;
      timed[at]!.push(await runs[at]!());
    }
  }
  return timed.map(mediansOf);
}

interface Compared {
  readonly wire: WireId;
  readonly floor: Medians;
  readonly byItself: Medians;
  readonly throughFetch: Medians;
  /** Of mull by itself, and through `fetch`. */
  readonly ratios: readonly [byItself: Medians, throughFetch: Medians];
}

const ratioOf = (own: Medians, reference: Medians): Medians => ({
  first: own.first / reference.first,
  wall: own.wall / reference.wall,
  cpu: own.cpu / reference.cpu,
});

/** The ratio is the median over the rounds of the ratios of their medians. */
async function compare(wire: WireId, base: string): Promise<Compared> {
  const same = await sameRequest(wire, base);
  const runs = [
    () => time(floor, wire, same, base),
    () => time(mullByItself, wire, fetch, base),
    () => time(mull, wire, fetch, base),
  ];
  await raceRequests(runs, warmUps);
  const each: (readonly Medians[])[] = [];
  for (let round = 0; round < rounds; round++) each.push(await raceRequests(runs, requests));
  const of = (at: number): Medians => mediansOf(each.map((round) => round[at]!));
  const ratio = (at: number): Medians =>
    mediansOf(each.map((round) => ratioOf(round[at]!, round[0]!)));
  return {
    wire,
    floor: of(0),
    byItself: of(1),
    throughFetch: of(2),
    ratios: [ratio(1), ratio(2)],
  };
}

const ownTable = (name: string, kind: keyof Medians, all: readonly Compared[]): Table => ({
  name,
  columns: ["", "floor, ms", "mull, ms", "x floor", "through fetch, ms", "x floor"],
  rows: all.map((each) => [
    each.wire,
    each.floor[kind],
    each.byItself[kind],
    each.ratios[0][kind],
    each.throughFetch[kind],
    each.ratios[1][kind],
  ]),
});

const barsOf = ({ wire, ratios: [ratio] }: Compared): readonly Bar[] => [
  { what: `first event, ${wire}, x floor`, most: 1.1, measured: ratio.first },
  { what: `a request, wall, ${wire}, x floor`, most: 1.1, measured: ratio.wall },
];

/** The other libraries, where they are installed. */
async function racePeers(base: string): Promise<readonly Table[]> {
  const wire = "anthropic-messages";
  const peers = (await loadPeers()).filter(({ wires }) => wires.includes(wire));
  if (peers.length === 0) return [];
  const same = await sameRequest(wire, base);
  const entrants = [floor, mullByItself, ...peers].map((contestant) => ({
    name: contestant.name,
    run: async () => {
      const via = contestant === floor ? same : fetch;
      for (let i = 0; i < peerRequests; i++) await contestant.read(wire, via, base);
    },
  }));
  return [peerTable(await race(entrants, rounds, 3))];
}

const peerTable = (rows: readonly Measured[]): Table => ({
  name: `${peerRequests} short answers one after another, anthropic-messages, beside other libraries`,
  columns: ["", "wall, x floor", "CPU, x floor", "spread", "wall, ms"],
  rows: rows.map((row) => [row.name, row.wallRatio, row.cpuRatio, row.spread, row.wall]),
});

async function run(): Promise<ScenarioReport> {
  const { child, origin } = await startStreams(20);
  try {
    const all: Compared[] = [];
    for (const wire of everyWire) all.push(await compare(wire, `${origin}/${wire}`));
    const beside = await racePeers(`${origin}/anthropic-messages`);
    return {
      id: "s2",
      title: "S2: over loopback HTTP",
      text: `Short answers (20 thinking, 20 text deltas) from a server in another process. The floor sends the bytes and headers that mull sends, through the runtime's own \`fetch\`. On Node mull posts through the client underneath it, where nobody has put another \`fetch\` or agent in charge; the last columns show it with Node's \`fetch\` given. All take turns request by request, after ${warmUps.toLocaleString("en-US")} of each to warm up; medians of ${requests} requests a round, ${rounds} rounds.`,
      tables: [
        ownTable("first event", "first", all),
        ownTable("a whole request", "wall", all),
        ownTable("CPU time of a request", "cpu", all),
        ...beside,
      ],
      bars: all.flatMap(barsOf),
      charts: [],
    };
  } finally {
    child.kill();
  }
}

export const loopback: Scenario = { id: "s2", run };
