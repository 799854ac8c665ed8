import { addUsage, type Cost, type Usage } from "mull";

import { pathsOf } from "../config/paths.ts";
import { findConversation, listConversations } from "../conversations/folder.ts";
import { readEach } from "../conversations/read-each.ts";
import { readTurns, sumCost, type TurnCost } from "../conversations/read-summary.ts";
import { columns } from "../frame/columns.ts";
import type { Run } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";

interface CostRow {
  readonly model: string;
  readonly turns: number;
  readonly usage: Usage;
  readonly cost: Cost | null;
  /** Turns whose price is not known, so that they are not in the sum. */
  readonly unpriced: number;
  readonly simulated: number;
}

export interface CostReport {
  readonly models: readonly CostRow[];
  readonly total: CostRow;
}

export const run: Run = async (given, io) => {
  const folder = pathsOf(io).conversations;
  const [name] = given.words;
  const files =
    name === undefined ? await listConversations(folder) : [await findConversation(folder, name)];
  const turns = (await readEach(files, readTurns)).flat();
  const models = [...new Set(turns.map(({ model }) => model))];
  const rows = models.map((model) =>
    rowOf(
      model,
      turns.filter((turn) => turn.model === model),
    ),
  );
  const total = rowOf("all", turns);
  const report: CostReport = { models: rows, total };
  if (given.has("json")) await io.out(`${JSON.stringify(report)}\n`);
  else {
    const head = ["model", "turns", "in", "cached", "thinking", "out", "cost"];
    await io.out(columns(head, [...rows, total].map(cells)));
    if (total.simulated > 0) {
      await io.out(
        `${total.simulated} of ${total.turns} turns were simulated: nobody bills them.\n`,
      );
    }
  }
  return exitCodes.done;
};

const rowOf = (model: string, turns: readonly TurnCost[]): CostRow => ({
  model,
  turns: turns.length,
  usage: turns.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), {}),
  cost: sumCost(turns) ?? null,
  unpriced: turns.filter(({ cost }) => cost === undefined).length,
  simulated: turns.filter(({ isSimulated }) => isSimulated).length,
});

const cells = ({ model, turns, usage, cost, unpriced }: CostRow): readonly string[] => [
  model,
  String(turns),
  count(usage.input),
  count(usage.cacheRead),
  `${usage.thinkingSource === "estimated" ? "~" : ""}${count(usage.thinking)}`,
  count(usage.output),
  cost === null
    ? "unknown"
    : `$${cost.total.toFixed(4)}${cost.estimated ? " est" : ""}${unpriced > 0 ? ` + ${unpriced} unpriced` : ""}`,
];

/** Unknown is not zero. */
const count = (tokens: number | undefined): string => tokens?.toLocaleString("en-US") ?? "–";
