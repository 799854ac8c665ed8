import { compose, type JsonObject, type Message, resolveModel, type WireId } from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { modelOf } from "../contestants/mull.ts";
import { bindSeals, makeMessages } from "../histories.ts";
import { garbageCollector, type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** Plans, compiles and encodes; then the body as text. */
const writeBody = (wire: WireId, messages: readonly Message[]): string =>
  JSON.stringify(compose(resolveModel(modelOf[wire]), { messages, tools }).encoded.body);

const lengths = ["short", "long"] as const;
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

type Pair = readonly [floor: Measured, mull: Measured];

/** Planned, compiled, encoded and written, beside writing the same body once it is there. */
async function raceHistory(wire: WireId, count: number, length: Length): Promise<Pair> {
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

interface Raced {
  readonly wire: WireId;
  readonly length: Length;
  readonly pairs: readonly Pair[];
}

/** Every wire, length and count. */
async function raceAll(): Promise<readonly Raced[]> {
  const collect = garbageCollector();
  const raced: Raced[] = [];
  for (const wire of everyWire) {
    for (const length of lengths) {
      const pairs: Pair[] = [];
      for (const count of counts) {
        // So that no measurement includes the garbage of the one before.
        collect();
        pairs.push(await raceHistory(wire, count, length));
      }
      raced.push({ wire, length, pairs });
    }
  }
  return raced;
}

const tableOf = (raced: readonly Raced[]): Table => ({
  name: "a history to a request",
  columns: ["", "", "messages", "JSON.stringify, ms", "mull, ms", "x floor", "spread"],
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

const barsOf = ({ wire, length, pairs }: Raced): readonly Bar[] =>
  pairs.map(([, { cpuRatio }], at) => ({
    what: `request of ${counts[at]!.toLocaleString("en")} ${length} messages, ${wire}, x JSON.stringify`,
    most: 2.5,
    measured: cpuRatio,
  }));

async function run(): Promise<ScenarioReport> {
  const raced = await raceAll();
  return {
    id: "s4",
    title: "S4: from history to request",
    text: [
      "Questions, thoughts with calls, results and answers. Long messages have 1.5 KB on average, as in the work of agents; short ones 0.4 KB, as in chats. On Anthropic's wire every thought carries the fingerprint of what stood before it, and all of them are checked.",
      "A conversation sends its whole history with every request. It is planned, compiled, encoded and written in full each time; the ratio is to writing the same body once it is there.",
      "That the work grows no faster than the history is counted without a clock by `npm run bench:gate`.",
    ].join("\n\n"),
    tables: [tableOf(raced)],
    bars: raced.flatMap(barsOf),
    charts: [],
  };
}

export const history: Scenario = { id: "s4", run };
