import { compose, type Message, resolveModel, type WireId } from "mull";
import { everyWire } from "../contestants/contestant.ts";
import { modelOf } from "../contestants/mull.ts";
import { makeMessages } from "../histories.ts";
import { race } from "../measure.ts";
import type { Bar, Scenario, ScenarioReport, Table } from "../report.ts";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** Plans, compiles and encodes; then the body as text. */
const writeBody = (wire: WireId, messages: readonly Message[]): string =>
  JSON.stringify(compose(resolveModel(modelOf[wire]), { messages, tools }).encoded.body);

async function run(): Promise<ScenarioReport> {
  const tables: Table[] = [];
  const bars: Bar[] = [];
  for (const wire of everyWire) {
    const rows: (readonly (string | number)[])[] = [];
    const ratios: number[] = [];
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
      ratios.push(mull!.cpuRatio);
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
    // Beside the floor's own: memory makes both grow a little faster than the text.
    const exponent = 1 + Math.log10(ratios[1]! / ratios[0]!);
    bars.push({
      what: `exponent of length over the floor's, ${wire}`,
      most: 1.05,
      measured: exponent,
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
