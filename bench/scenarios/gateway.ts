import { bodies } from "../gateway/bodies.ts";
import { hasPortkey, openStage } from "../gateway/contestants.ts";
import { measureStops, type StopFigures } from "../gateway/measure-stop.ts";
import { measureWork, type Figures, type Work } from "../gateway/measure-work.ts";
import type { Bar, Cell, Scenario, ScenarioReport, Table } from "../report.ts";

const shortDeltas = 40;
const manyDeltas = 200;
const longDeltas = 20_000;
const longName = `a stream of ${longDeltas.toLocaleString("en-US")} deltas`;
const atOnce = 200;

/** Opens a service that streams so many deltas, and measures pieces of work before it. */
async function onStage(
  deltas: number,
  works: readonly Work[],
  size?: "event",
): Promise<readonly (readonly Figures[])[]> {
  const { contestants, clear } = await openStage(deltas / 2, size);
  try {
    const all: (readonly Figures[])[] = [];
    for (const work of works) all.push(await measureWork(contestants, work));
    return all;
  } finally {
    await clear();
  }
}

// V8 compiles a gateway's code in its first five thousand requests: one that runs for days does not notice.
// The slowest percent has to be more than a handful of requests.
const shortWorks: readonly Work[] = [
  { body: bodies.small, atOnce: 1, turns: 280, warmUp: 5000, rounds: 7 },
  { body: bodies.agent, atOnce: 1, turns: 140, warmUp: 5000, rounds: 7 },
  { body: bodies.long, atOnce: 1, turns: 10, warmUp: 20, rounds: 5 },
];
const manyWork: Work = { body: bodies.small, atOnce, turns: 1, warmUp: 4, rounds: 7 };
const longWork: Work = { body: bodies.small, atOnce: 1, turns: 1, warmUp: 15, rounds: 7 };

/** The contestant that all figures are compared with. */
interface Beside {
  readonly direct: Figures;
  readonly relay: Figures;
}

const named = (rows: readonly Figures[], name: string): Figures =>
  rows.find((row) => row.name === name)!;

const beside = (rows: readonly Figures[]): Beside => ({
  direct: named(rows, "direct"),
  relay: named(rows, "relay"),
});

type Percentile = "p50" | "p99";

/** What a contestant adds to the direct way, as a multiple of what the relay adds. */
const addedRatio = (row: Figures, { direct, relay }: Beside, at: Percentile): number =>
  (row[at] - direct[at]) / (relay[at] - direct[at]);

const isDirect = ({ name }: Figures): boolean => name === "direct";

const unlessDirect = (row: Figures, cell: Cell): Cell => (isDirect(row) ? "" : cell);

function shortTable(name: string, rows: readonly Figures[]): Table {
  const reference = beside(rows);
  return {
    name,
    columns: ["", "p50, ms", "adds, x relay", "p99, ms", "adds, x relay", "CPU, ms", "x relay"],
    rows: rows.map((row) => [
      row.name,
      row.p50,
      unlessDirect(row, addedRatio(row, reference, "p50")),
      row.p99,
      unlessDirect(row, addedRatio(row, reference, "p99")),
      unlessDirect(row, row.cpu),
      unlessDirect(row, row.cpu / reference.relay.cpu),
    ]),
  };
}

/** A large body takes milliseconds, so the limit is the number of milliseconds that are added. */
function largeTable(name: string, rows: readonly Figures[]): Table {
  const { direct, relay } = beside(rows);
  return {
    name,
    columns: ["", "p50, ms", "adds, ms", "CPU, ms", "x relay"],
    rows: rows.map((row) => [
      row.name,
      row.p50,
      unlessDirect(row, row.p50 - direct.p50),
      unlessDirect(row, row.cpu),
      unlessDirect(row, row.cpu / relay.cpu),
    ]),
  };
}

function streamTable(name: string, rows: readonly Figures[], events: number): Table {
  const { direct, relay } = beside(rows);
  return {
    name,
    columns: ["", "wall, ms", "x direct", "CPU per event, µs", "x relay"],
    rows: rows.map((row) => [
      row.name,
      row.p50,
      row.p50 / direct.p50,
      unlessDirect(row, (row.cpu * 1000) / events),
      unlessDirect(row, row.cpu / relay.cpu),
    ]),
  };
}

const passing = "mull, passing through";
const translating = "mull, translating";

function shortBars(what: string, rows: readonly Figures[]): readonly Bar[] {
  const reference = beside(rows);
  const pass = named(rows, passing);
  const times = (row: Figures): number => row.cpu / reference.relay.cpu;
  return [
    ...(["p50", "p99"] as const).map((at) => ({
      what: `gateway: passing ${what} through adds, ${at}, x relay`,
      most: 2,
      measured: addedRatio(pass, reference, at),
    })),
    { what: `gateway: passing ${what} through, CPU, x relay`, most: 2, measured: times(pass) },
    {
      what: `gateway: translating ${what}, CPU, x relay`,
      most: 4,
      measured: times(named(rows, translating)),
    },
  ];
}

const longBodyBars = (rows: readonly Figures[]): readonly Bar[] =>
  [passing, translating].map((name) => ({
    what: `gateway: ${name.replace("mull, ", "")}, 500 KB, adds ms`,
    most: 10,
    measured: named(rows, name).p50 - beside(rows).direct.p50,
  }));

const eventBar = (how: string, rows: readonly Figures[]): Bar => ({
  what: `gateway: translating, CPU per event, ${how}, x relay`,
  most: 3,
  measured: named(rows, translating).cpu / beside(rows).relay.cpu,
});

const stopTable = (stops: readonly StopFigures[]): Table => ({
  name: "a client that stops: how long the service still answers",
  columns: ["", "p50, ms", "longest, ms"],
  rows: stops.map(({ name, p50, longest }) => [name, p50, longest]),
});

const stopBar = (stops: readonly StopFigures[]): Bar => ({
  what: "gateway: the service still answers a client that stopped, longest, ms",
  most: 100,
  measured: Math.max(...stops.map(({ longest }) => longest)),
});

const portkeyText = (): string =>
  hasPortkey()
    ? "Portkey 1.15.2 passes the same requests on to the same service; it waits 25 ms at the start of every stream, and is asked less often."
    : "Portkey's gateway is missing: `npm run bench:peers` had not been run.";

async function run(): Promise<ScenarioReport> {
  const [small, agent, long] = await onStage(shortDeltas, shortWorks);
  const [many] = await onStage(manyDeltas, [manyWork]);
  const [packed] = await onStage(longDeltas, [longWork]);
  const [single] = await onStage(longDeltas, [longWork], "event");
  const stops = await measureStops();
  return {
    id: "s7",
    title: "S7: the gateway",
    text: `A client of Anthropic's wire asks a service that streams prepared bytes: directly, through a bare relay (\`node:http\` on both sides, one \`pipe\` each way), through \`mull gateway\` to the model it asked for, which passes the bytes through, and through \`mull gateway --model gpt-6-sol/high\`, which translates request and stream to OpenAI's Responses and back. Service, client and everyone in between are processes of their own and take turns request by request, in an order that is drawn for every turn; CPU time is that of the process in between. What somebody adds is the time beyond the direct way. Node's HTTP server and client alone, with the parsing of addresses and the signal that stops a request, take more than half of what passing through costs; in writes of 1,400 bytes the relay carries ten events for the price of one, while each of them is read and written anew when it is translated. ${portkeyText()}`,
    tables: [
      shortTable(`a small request, ${shortDeltas} deltas`, small!),
      shortTable(`a request of 46 KB, as Claude Code's, ${shortDeltas} deltas`, agent!),
      largeTable(`a request of 500 KB, ${shortDeltas} deltas`, long!),
      streamTable(`${longName}, in writes of 1,400 bytes`, packed!, longDeltas),
      streamTable(`${longName}, each in a write of its own`, single!, longDeltas),
      streamTable(`${atOnce} streams of ${manyDeltas} deltas at once`, many!, manyDeltas),
      stopTable(stops),
    ],
    bars: [
      ...shortBars("a small request", small!),
      ...shortBars("46 KB", agent!),
      ...longBodyBars(long!),
      eventBar("in writes of 1,400 bytes", packed!),
      eventBar("each in a write of its own", single!),
      stopBar(stops),
    ],
    charts: [],
  };
}

export const gateway: Scenario = { id: "s7", run };
