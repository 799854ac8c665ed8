import { streamChat } from "mull";
import type { Message } from "mull";
import { modelOf } from "../contestants/mull.ts";
import { loadWriters, type Writer } from "../contestants/peers.ts";
import { makeMessages } from "../histories.ts";
import { type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream } from "../streams.ts";

const count = 10_001;
const lengths = ["long", "short"] as const;
const wire = "anthropic-messages";
const answer = fetchOf(makeStream(wire, { thinking: 1, text: 1, input: 0 }), 16_384);
const tools = [
  {
    name: "look",
    description: "Looks something up.",
    inputSchema: { type: "object", properties: {} },
  },
];

const mull: Writer = {
  name: "mull",
  toHistory: (messages) => messages,
  send: async (history, fetch) => {
    const messages = history as readonly Message[];
    for await (const _ of streamChat(
      modelOf[wire],
      { messages, tools },
      { fetch, apiKey: "bench-key" },
    ));
  },
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
}

/** Against writing its own body once it is there: nobody gains by leaving something out. */
async function raceWriter(writer: Writer, messages: readonly Message[]): Promise<Written> {
  const history = writer.toHistory(messages);
  const text = await bodyOf(writer, history);
  const body = JSON.parse(text) as { readonly messages: readonly unknown[] };
  if (body.messages.length < count) throw new Error(`${writer.name} left messages out`);
  const [floor, measured] = await race(
    [
      { name: "floor", run: () => Promise.resolve(JSON.stringify(body)) },
      { name: writer.name, run: () => writer.send(history, answer) },
    ],
    7,
    2,
  );
  return { ...measured!, floorMs: floor!.cpu, bytes: text.length };
}

const table = (length: string, rows: readonly Written[]): Table => ({
  name: `${count.toLocaleString("en")} ${length} messages`,
  columns: ["", "CPU, x JSON.stringify", "spread", "CPU, ms", "JSON.stringify, ms", "body, MB"],
  rows: rows.map((row) => [
    row.name,
    row.cpuRatio,
    row.spread,
    row.cpu,
    row.floorMs,
    row.bytes / 1e6,
  ]),
});

/** The vendor's own library is given the vendor's own messages, so it has nothing to convert. */
function barOf(length: string, rows: readonly Written[]): Bar {
  const others = rows.filter(({ name }) => name !== "mull" && name !== "@anthropic-ai/sdk");
  return {
    what: `mull / fastest unifying library, history of ${length} messages to request`,
    most: 1,
    measured: rows[0]!.cpu / Math.min(...others.map(({ cpu }) => cpu)),
  };
}

async function run(): Promise<ScenarioReport> {
  const writers = [mull, ...(await loadWriters())];
  const tables: Table[] = [];
  const bars: Bar[] = [];
  const charts = [];
  for (const length of lengths) {
    const messages = makeMessages(wire, count, length);
    const rows: Written[] = [];
    for (const writer of writers) rows.push(await raceWriter(writer, messages));
    tables.push(table(length, rows));
    if (writers.length > 1) bars.push(barOf(length, rows));
    charts.push({
      name: `history-${length}`,
      title: `${count.toLocaleString("en")} ${length} messages to a request: CPU time`,
      unit: "x JSON.stringify",
      limit: 1,
      values: rows.map(({ name, cpuRatio }) => ({ label: name, value: cpuRatio })),
    });
  }
  return {
    id: "s4-peers",
    title: "S4: from history to request, beside other libraries",
    text: "The histories of S4 for Anthropic, in each library's own messages, sent through its public call to a `fetch` that answers two words. The floor is `JSON.stringify` of the body that the same library wrote. The vendor's SDK is given the vendor's own messages.",
    tables,
    bars,
    charts,
  };
}

export const historyPeers: Scenario = { id: "s4-peers", run };
