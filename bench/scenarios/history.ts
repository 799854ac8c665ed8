import { compose, type Message, resolveModel, type WireId } from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { modelOf } from "../contestants/mull.ts";
import { makeMessages } from "../histories.ts";
import { type Measured, race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** Plans, compiles and encodes; then the body as text. */
const writeBody = (wire: WireId, messages: readonly Message[]): string =>
  JSON.stringify(compose(resolveModel(modelOf[wire]), { messages, tools }).encoded.body);

const lengths = ["long", "short"] as const;
const counts = [1001, 10_001] as const;

/** The floor and mull, for one history. */
async function raceHistory(
  wire: WireId,
  count: number,
  length: (typeof lengths)[number],
): Promise<readonly [floor: Measured, mull: Measured]> {
  const messages = makeMessages(wire, count, length);
  const { body } = compose(resolveModel(modelOf[wire]), { messages, tools }).encoded;
  const [floor, mull] = await race(
    [
      { name: "floor", run: () => Promise.resolve(JSON.stringify(body)) },
      { name: "mull", run: () => Promise.resolve(writeBody(wire, messages)) },
    ],
    count > 5000 ? 9 : 25,
    6,
  );
  return [floor!, mull!];
}

const exponentOf = ([few, many]: readonly Measured[]): number =>
  Math.log(many!.cpu / few!.cpu) / Math.log(counts[1] / counts[0]);

async function run(): Promise<ScenarioReport> {
  const tables: Table[] = [];
  const bars: Bar[] = [];
  for (const wire of everyWire) {
    const rows: (readonly (string | number)[])[] = [];
    for (const length of lengths) {
      const pairs = [];
      for (const count of counts) pairs.push(await raceHistory(wire, count, length));
      const own = pairs.map(([, mull]) => mull);
      const exponent = exponentOf(own);
      const reference = exponentOf(pairs.map(([floor]) => floor));
      pairs.forEach(([floor, mull], at) => {
        rows.push([length, counts[at]!, floor.cpu, mull.cpu, mull.cpuRatio, mull.spread]);
      });
      rows.push([length, "exponent", reference, exponent, exponent / reference, ""]);
      bars.push(
        {
          what: `history to body, 10,001 ${length} messages, ${wire}, x floor`,
          most: 1.3,
          measured: own[1]!.cpuRatio,
        },
        {
          what: `exponent of length, ${length} messages, ${wire} (the floor's: ${reference.toFixed(2)})`,
          most: 1.05,
          measured: exponent,
        },
      );
    }
    tables.push({
      name: wire,
      columns: ["", "messages", "JSON.stringify, ms", "mull, ms", "x floor", "spread"],
      rows,
    });
  }
  return {
    id: "s4",
    title: "S4: from history to request",
    text: "Questions, thoughts with calls, results and answers: planned, compiled for the model, encoded and written, over writing the same body. Long messages have 1.5 KB on average, as in the work of agents; short ones 0.4 KB, as in chats. `JSON.stringify` itself grows faster than the text, so its exponent stands beside mull's.",
    tables,
    bars,
    charts: [],
  };
}

export const history: Scenario = { id: "s4", run };
