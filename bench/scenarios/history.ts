import {
  compose,
  type JsonObject,
  type Message,
  resolveModel,
  streamChat,
  type WireId,
} from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { modelOf } from "../contestants/mull.ts";
import { bindSeals, makeMessages, takingBytes, toBytes } from "../histories.ts";
import { type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream } from "../streams.ts";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** Plans, compiles and encodes; then the body as text. */
const writeBody = (wire: WireId, messages: readonly Message[]): string =>
  JSON.stringify(compose(resolveModel(modelOf[wire]), { messages, tools }).encoded.body);

const lengths = ["long", "short"] as const;
const counts = [1001, 10_001] as const;

type Length = (typeof lengths)[number];

/**
 * A history as mull keeps it, and what is sent of it. The model measured on Anthropic's wire binds
 * its seals to what stands before.
 */
function historyFor(
  wire: WireId,
  count: number,
  length: Length,
): { readonly messages: readonly Message[]; readonly body: JsonObject } {
  const made = makeMessages(wire, count, length);
  const messages = wire === "anthropic-messages" ? bindSeals(made, tools) : made;
  const { body } = compose(resolveModel(modelOf[wire]), { messages, tools }).encoded;
  return { messages, body };
}

/** The floor and mull, for one history. */
async function raceHistory(
  wire: WireId,
  count: number,
  length: Length,
): Promise<readonly [floor: Measured, mull: Measured]> {
  const { messages, body } = historyFor(wire, count, length);
  const [floor, mull] = await race(
    [
      { name: "floor", run: () => Promise.resolve(JSON.stringify(body)) },
      { name: "mull", run: () => Promise.resolve(writeBody(wire, messages)) },
    ],
    count > 5000 ? 15 : 45,
    8,
  );
  return [floor!, mull!];
}

/** All that a request costs through the public call, up to the body's bytes, with an answer of two words. */
async function raceRequest(
  wire: WireId,
  count: number,
  length: Length,
): Promise<readonly [floor: Measured, mull: Measured]> {
  const { messages, body } = historyFor(wire, count, length);
  const fetch = takingBytes(fetchOf(makeStream(wire, { thinking: 1, text: 1, input: 0 }), 16_384));
  const ask = async (): Promise<void> => {
    await streamChat(modelOf[wire], { messages, tools }, { fetch, apiKey: "bench-key" }).result();
  };
  const [floor, mull] = await race(
    [
      { name: "floor", run: () => Promise.resolve(toBytes(body)) },
      { name: "mull", run: ask },
    ],
    11,
    4,
  );
  return [floor!, mull!];
}

async function requestTable(): Promise<Table> {
  const rows: (readonly (string | number)[])[] = [];
  for (const wire of everyWire) {
    for (const length of lengths) {
      const [floor, mull] = await raceRequest(wire, counts[1], length);
      rows.push([wire, length, floor.cpu, mull.cpu, mull.cpuRatio, mull.spread]);
    }
  }
  return {
    name: "10,001 messages through the public call, beside `JSON.stringify` and `TextEncoder`",
    columns: ["", "messages", "floor, ms", "mull, ms", "x floor", "spread"],
    rows,
  };
}

/** How fast mull grows beside `JSON.stringify` of the same body: 1 where both grow alike. */
const growthOf = ([few, many]: readonly Measured[]): number =>
  1 + Math.log(many!.cpuRatio / few!.cpuRatio) / Math.log(counts[1] / counts[0]);

async function run(): Promise<ScenarioReport> {
  const tables: Table[] = [];
  const bars: Bar[] = [];
  for (const wire of everyWire) {
    const rows: (readonly (string | number)[])[] = [];
    for (const length of lengths) {
      const pairs = [];
      for (const count of counts) pairs.push(await raceHistory(wire, count, length));
      const own = pairs.map(([, mull]) => mull);
      pairs.forEach(([floor, mull], at) => {
        rows.push([length, counts[at]!, floor.cpu, mull.cpu, mull.cpuRatio, mull.spread]);
      });
      bars.push(
        {
          what: `history to body, 10,001 ${length} messages, ${wire}, x floor`,
          most: 1.3,
          measured: own[1]!.cpuRatio,
        },
        {
          what: `exponent of length beside the floor's, ${length} messages, ${wire}`,
          most: 1.05,
          measured: growthOf(own),
        },
      );
    }
    tables.push({
      name: wire,
      columns: ["", "messages", "JSON.stringify, ms", "mull, ms", "x floor", "spread"],
      rows,
    });
  }
  tables.push(await requestTable());
  return {
    id: "s4",
    title: "S4: from history to request",
    text: [
      "Questions, thoughts with calls, results and answers: planned, compiled for the model, encoded and written, over writing the same body once it is there. Long messages have 1.5 KB on average, as in the work of agents; short ones 0.4 KB, as in chats. On Anthropic's wire every thought carries the fingerprint of what stood before it, and all of them are checked.",
      "Nothing is kept from one request to the next, so the first turn and the next one cost the same. `JSON.stringify` itself grows faster than its text here, once the pieces it joins no longer fit V8's young generation; so the exponent is that of the ratio: 1 means that mull's share stays what it is however long the history, above 1 that it grows. The work itself, counted without a clock, is held to be linear by `npm run bench:gate`.",
    ].join("\n\n"),
    tables,
    bars,
    charts: [],
  };
}

export const history: Scenario = { id: "s4", run };
