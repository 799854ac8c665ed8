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
import { garbageCollector, type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";
import { fetchOf, makeStream } from "../streams.ts";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** Plans, compiles and encodes; then the body as text. */
const writeBody = (wire: WireId, messages: readonly Message[]): string =>
  JSON.stringify(compose(resolveModel(modelOf[wire]), { messages, tools }).encoded.body);

const lengths = ["short", "long"] as const;
const counts = [1001, 10_001] as const;

type Length = (typeof lengths)[number];

/** Messages of one turn of the histories here. */
const turn = 4;

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

type Pair = readonly [floor: Measured, mull: Measured];

/** A history nothing is known of: planned, compiled, encoded and written, beside writing its body. */
async function raceFirst(wire: WireId, count: number, length: Length): Promise<Pair> {
  const { messages, body } = historyFor(wire, count, length);
  const [floor, mull] = await race(
    [
      { name: "floor", run: () => Promise.resolve(JSON.stringify(body)) },
      { name: "mull", run: () => Promise.resolve(writeBody(wire, messages)) },
    ],
    count > 5000 ? 11 : 33,
    8,
  );
  return [floor!, mull!];
}

/**
 * A conversation that goes on: every request has a turn more than the one before. All that it costs
 * through the public call, up to the body's bytes, with an answer of two words.
 */
async function raceNext(wire: WireId, count: number, length: Length): Promise<Pair> {
  const rounds = count > 5000 ? 15 : 45;
  // More than it takes for the conversations before to make room.
  const warmUps = 14;
  const { messages } = historyFor(wire, count + turn * (rounds + warmUps), length);
  const { body } = compose(resolveModel(modelOf[wire]), {
    messages: messages.slice(0, count),
    tools,
  }).encoded;
  const fetch = takingBytes(fetchOf(makeStream(wire, { thinking: 1, text: 1, input: 0 }), 16_384));
  let asked = 0;
  const ask = async (): Promise<void> => {
    const request = { messages: messages.slice(0, count + turn * asked++), tools };
    await streamChat(modelOf[wire], request, { fetch, apiKey: "bench-key" }).result();
  };
  const [floor, mull] = await race(
    [
      { name: "floor", run: () => Promise.resolve(toBytes(body)) },
      { name: "mull", run: ask },
    ],
    rounds,
    warmUps,
  );
  return [floor!, mull!];
}

/** How fast mull grows beside the floor: 1 where both grow alike, less where it falls behind. */
const growthOf = ([few, many]: readonly Measured[]): number =>
  1 + Math.log(many!.cpuRatio / few!.cpuRatio) / Math.log(counts[1] / counts[0]);

interface Raced {
  readonly wire: WireId;
  readonly length: Length;
  readonly pairs: readonly Pair[];
}

/** Every wire, length and count. */
async function raceAll(
  raceOne: (wire: WireId, count: number, length: Length) => Promise<Pair>,
): Promise<readonly Raced[]> {
  const collect = garbageCollector();
  const raced: Raced[] = [];
  for (const wire of everyWire) {
    for (const length of lengths) {
      const pairs: Pair[] = [];
      for (const count of counts) {
        // The conversations before are over.
        collect();
        pairs.push(await raceOne(wire, count, length));
      }
      raced.push({ wire, length, pairs });
    }
  }
  return raced;
}

const tableOf = (name: string, floorName: string, raced: readonly Raced[]): Table => ({
  name,
  columns: ["", "", "messages", `${floorName}, ms`, "mull, ms", "x floor", "spread"],
  rows: raced.flatMap(({ wire, length, pairs }) =>
    pairs.map(([floor, mull], at) => [
      wire,
      length,
      counts[at]!,
      floor.cpu,
      mull.cpu,
      mull.cpuRatio,
      mull.spread,
    ]),
  ),
});

const barsOf = ({ wire, length, pairs }: Raced): readonly Bar[] => {
  const own = pairs.map(([, mull]) => mull);
  return [
    {
      what: `next request of 10,001 ${length} messages, ${wire}, x floor`,
      most: 1.3,
      measured: own[1]!.cpuRatio,
    },
    {
      what: `exponent of length beside the floor's, ${length} messages, ${wire}`,
      most: 1.05,
      measured: growthOf(own),
    },
  ];
};

async function run(): Promise<ScenarioReport> {
  const next = await raceAll(raceNext);
  const first = await raceAll(raceFirst);
  return {
    id: "s4",
    title: "S4: from history to request",
    text: [
      "Questions, thoughts with calls, results and answers. Long messages have 1.5 KB on average, as in the work of agents; short ones 0.4 KB, as in chats. On Anthropic's wire every thought carries the fingerprint of what stood before it, and all of them are checked.",
      "**A conversation that goes on** sends its whole history with every request. From the third request on, mull has what the turns that are over came to: it compares every value of them with what it was, so that a message changed in place is noticed, and composes only what is new. The ratio is that of everything the public call costs, up to the bytes of the body, to `JSON.stringify` and `TextEncoder` for a body that is there.",
      "**A history seen for the first time** is planned, compiled, encoded and written in full, over writing the same body once it is there. So are histories of less than 100 messages. The second request of a long one costs more than that, because it begins to keep.",
      "`JSON.stringify` itself grows faster than its text here, once the pieces it joins no longer fit V8's young generation; so the exponent is that of the ratio: 1 means that mull's share stays what it is however long the history, above 1 that it grows. The work itself, counted without a clock, is held to be linear by `npm run bench:gate`.",
    ].join("\n\n"),
    tables: [
      tableOf("a conversation that goes on", "floor", next),
      tableOf("a history seen for the first time", "JSON.stringify", first),
    ],
    bars: next.flatMap(barsOf),
    charts: [],
  };
}

export const history: Scenario = { id: "s4", run };
