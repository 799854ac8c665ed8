import { streamChat } from "mull";
import type { Fetch, Message } from "mull";
import { modelOf } from "../contestants/mull.ts";
import { loadWriters, type Writer } from "../contestants/peers.ts";
import { makeMessages, takingBytes, toBytes } from "../histories.ts";
import { type Measured, measuredOf, type Sample, sample } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream } from "../streams.ts";

const count = 10_001;
const lengths = ["short", "long"] as const;
const wire = "anthropic-messages";
const answer = fetchOf(makeStream(wire, { thinking: 1, text: 1, input: 0 }), 16_384);
const takeBody = takingBytes(answer);
const tools = [
  {
    name: "look",
    description: "Looks something up.",
    inputSchema: { type: "object", properties: {} },
  },
];

async function sendWithMull(history: unknown, fetch: Fetch): Promise<void> {
  const messages = history as readonly Message[];
  for await (const _ of streamChat(
    modelOf[wire],
    { messages, tools },
    { fetch, apiKey: "bench-key" },
  ));
}

const mull: Writer = {
  name: "mull",
  toHistory: (messages) => messages,
  send: sendWithMull,
};

/** The body of the request, as text, whatever the library made of it. */
async function bodyOf({ send }: Writer, history: unknown): Promise<string> {
  let body = "";
  await send(history, async (_, init) => {
    body = await new Response(init?.body).text();
    return answer();
  });
  return body;
}

interface Written extends Measured {
  readonly floorMs: number;
  readonly bytes: number;
  /** Median of the ratios to mull's time of the same round. */
  readonly beside: number;
}

interface Runner {
  readonly name: string;
  readonly bytes: number;
  readonly floor: () => Promise<unknown>;
  readonly send: () => Promise<unknown>;
  readonly floorSamples: Sample[];
  readonly samples: Sample[];
}

/** The ratio is to writing the library's own body, so that no library gains by leaving something out. */
async function makeRunner(writer: Writer, messages: readonly Message[]): Promise<Runner> {
  const history = writer.toHistory(messages);
  const text = await bodyOf(writer, history);
  const body = JSON.parse(text) as { readonly messages: readonly unknown[] };
  if (body.messages.length < count) throw new Error(`${writer.name} left messages out`);
  return {
    name: writer.name,
    bytes: text.length,
    floor: () => Promise.resolve(toBytes(body)),
    send: () => writer.send(history, takeBody),
    floorSamples: [],
    samples: [],
  };
}

const rounds = 7;
const warmUps = 2;

/** All run in every round, every other round in reverse order, so that the garbage of one is not always charged to the same other. */
async function raceAll(runners: readonly Runner[]): Promise<readonly Written[]> {
  for (let round = -warmUps; round < rounds; round++) {
    const order = runners.map((_, at) => runners[(at + round + warmUps) % runners.length]!);
    for (const runner of round % 2 === 0 ? order : order.toReversed()) {
      const floor = await sample(runner.floor);
      const sent = await sample(runner.send);
      if (round < 0) continue;
      runner.floorSamples.push(floor);
      runner.samples.push(sent);
    }
  }
  const [first] = runners;
  return runners.map(({ name, bytes, floorSamples, samples }) => ({
    ...measuredOf(name, samples, floorSamples),
    floorMs: measuredOf(name, floorSamples, floorSamples).cpu,
    beside: measuredOf(name, samples, first!.samples).cpuRatio,
    bytes,
  }));
}

const table = (length: string, rows: readonly Written[]): Table => ({
  name: `${count.toLocaleString("en")} ${length} messages`,
  columns: ["", "CPU, x floor", "spread", "CPU, x mull", "CPU, ms", "floor, ms", "body, MB"],
  rows: rows.map((row) => [
    row.name,
    row.cpuRatio,
    row.spread,
    row.beside,
    row.cpu,
    row.floorMs,
    row.bytes / 1e6,
  ]),
});

/** The vendor's own library is given the vendor's own messages, so it has nothing to convert. */
function barOf(length: string, rows: readonly Written[]): Bar {
  const isOther = ({ name }: Written): boolean => !/^mull|^@anthropic/.test(name);
  const fastest = Math.min(...rows.filter(isOther).map(({ beside }) => beside));
  return {
    what: `mull / fastest unifying library, history of ${length} messages to request`,
    most: 1,
    measured: 1 / fastest,
  };
}

async function run(): Promise<ScenarioReport> {
  const writers = [mull, ...(await loadWriters())];
  const tables: Table[] = [];
  const bars: Bar[] = [];
  const charts = [];
  for (const length of lengths) {
    const messages = makeMessages(wire, count, length);
    const runners: Runner[] = [];
    for (const writer of writers) runners.push(await makeRunner(writer, messages));
    const rows = await raceAll(runners);
    tables.push(table(length, rows));
    if (writers.length > 1) bars.push(barOf(length, rows));
    charts.push({
      name: `history-${length}`,
      title: `${count.toLocaleString("en")} ${length} messages to a request: CPU time`,
      unit: "x floor",
      limit: 1,
      values: rows.map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
    });
  }
  return {
    id: "s4-peers",
    title: "S4: from history to request, beside other libraries",
    text: "The histories of S4 for Anthropic, in each library's own messages, sent through its public call to a `fetch` that takes the body's bytes and answers two words. The floor is `JSON.stringify` and `TextEncoder` on the body that the same library wrote. All take turns in every round. The vendor's SDK is given the vendor's own messages.",
    tables,
    bars,
    charts,
  };
}

export const historyPeers: Scenario = { id: "s4-peers", run };
