import { compose, type Message, resolveModel, type WireId } from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { modelOf } from "../contestants/mull.ts";
import { makeMessages } from "../histories.ts";
import { median, race, sample } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** Plans, compiles and encodes; then the body as text. */
const writeBody = (wire: WireId, messages: readonly Message[]): string =>
  JSON.stringify(compose(resolveModel(modelOf[wire]), { messages, tools }).encoded.body);

/** CPU of ten times the messages over CPU of all, as an exponent. */
async function exponentOf(wire: WireId): Promise<number> {
  const times: number[] = [];
  for (const count of [2001, 20_001]) {
    const messages = makeMessages(wire, count);
    const cpus: number[] = [];
    for (let i = 0; i < 15; i++) {
      const { cpu } = await sample(() => Promise.resolve(writeBody(wire, messages)));
      if (i >= 5) cpus.push(cpu);
    }
    times.push(median(cpus));
  }
  return Math.log10(times[1]! / times[0]!);
}

async function run(): Promise<ScenarioReport> {
  const tables: Table[] = [];
  const bars: Bar[] = [];
  for (const wire of everyWire) {
    const rows: (readonly (string | number)[])[] = [];
    for (const count of [1001, 10_001]) {
      const messages = makeMessages(wire, count);
      const { body } = compose(resolveModel(modelOf[wire]), { messages, tools }).encoded;
      const [floor, mull] = await race(
        [
          { name: "floor", run: () => Promise.resolve(JSON.stringify(body)) },
          { name: "mull", run: () => Promise.resolve(writeBody(wire, messages)) },
        ],
        count > 5000 ? 11 : 31,
        6,
      );
      rows.push([count, floor!.cpu, mull!.cpu, mull!.cpuRatio, mull!.spread]);
      if (count > 5000) {
        const what = `history to body, ${count} messages, ${wire}, x floor`;
        bars.push({ what, most: 1.3, measured: mull!.cpuRatio });
      }
    }
    tables.push({
      name: wire,
      columns: ["messages", "JSON.stringify, ms", "mull, ms", "x floor", "spread"],
      rows,
    });
    bars.push({
      what: `exponent of length, ${wire}`,
      most: 1.05,
      measured: await exponentOf(wire),
    });
  }
  return {
    id: "s4",
    title: "S4: from history to request",
    text: "Questions, thoughts with calls, results and answers of 1.3 KB on average: planned, compiled for the model, encoded and written, over writing the same body.",
    tables,
    bars,
    charts: [],
  };
}

export const history: Scenario = { id: "s4", run };
