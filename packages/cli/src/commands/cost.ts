import { sumReceipts, type Cost, type Usage } from "mull";
import { plural } from "mull/wire";

import { pathsOf } from "../config/paths.ts";
import { findConversation, listConversations } from "../conversations/folder.ts";
import { readEach } from "../conversations/read-each.ts";
import { readTurns, type TurnCost } from "../conversations/read-summary.ts";
import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { print } from "../frame/fold.ts";
import { describeCost } from "../repl/format.ts";

interface CostRow {
  readonly model: string;
  readonly turns: number;
  readonly usage: Usage;
  readonly cost: Cost | null;
  /** Turns without a known price, which the sum leaves out. */
  readonly unpriced: number;
  /** Turns that were stopped or broke off: they took at least what is counted here. */
  readonly cut: number;
  readonly simulated: number;
}

export interface CostReport {
  readonly models: readonly CostRow[];
  readonly total: CostRow;
}

export const run: RunCommand = async (given, io) => {
  const folder = pathsOf(io).conversations;
  const [name] = given.words;
  const files =
    name === undefined ? await listConversations(folder) : [await findConversation(folder, name)];
  const turns = (await readEach(files, readTurns)).flat();
  const models = [...new Set(turns.flatMap(({ shares }) => shares).map(({ model }) => model))];
  const rows = models.map((model) => rowOf(model, turns, (share) => share.model === model));
  const total = rowOf("all", turns, () => true);
  const report: CostReport = { models: rows, total };
  if (given.has("json")) await io.out(`${JSON.stringify(report)}\n`);
  else {
    const head = ["model", "turns", "in", "cached", "thinking", "out", "cost"];
    await io.out(columns(head, [...rows, total].map(cells), io));
    for (const line of remarks(total, turns)) await print(io, `${line}\n`);
  }
  return exitCodes.done;
};

/** What a model used in the turns it had a part in. */
function rowOf(
  model: string,
  turns: readonly TurnCost[],
  isOwn: (share: TurnCost["shares"][number]) => boolean,
): CostRow {
  const own = turns.filter(({ shares }) => shares.some(isOwn));
  const shares = own.flatMap((turn) => turn.shares.filter(isOwn));
  const { usage, cost, costAtLeast } = sumReceipts(shares);
  return {
    model,
    turns: own.length,
    usage,
    cost: cost ?? costAtLeast ?? null,
    unpriced: own.filter((turn) => turn.shares.some((share) => isOwn(share) && !share.cost)).length,
    cut: own.filter(({ isCut }) => isCut).length,
    simulated: own.filter(({ isSimulated }) => isSimulated).length,
  };
}

function remarks(total: CostRow, turns: readonly TurnCost[]): readonly string[] {
  const { costAtLeast } = sumReceipts(
    turns.flatMap(({ shares }) => shares.filter(({ usage }) => usage.estimated)),
  );
  const spent = costAtLeast === undefined ? "" : ` · ${describeCost(costAtLeast)}`;
  return [
    ...(total.cut === 0
      ? []
      : [`${total.cut} of ${plural(total.turns, "turn")} stopped or broke off${spent}`]),
    ...(total.simulated === 0
      ? []
      : [`${total.simulated} of ${plural(total.turns, "turn")} simulated, at no cost`]),
  ];
}

const cells = ({ model, turns, usage, cost, unpriced }: CostRow): readonly string[] => [
  model,
  String(turns),
  `${usage.estimated ? "~" : ""}${count(usage.input)}`,
  count(usage.cacheRead),
  `${usage.thinkingSource === "estimated" ? "~" : ""}${count(usage.thinking)}`,
  `${usage.estimated ? "~" : ""}${count(usage.output)}`,
  cost === null
    ? "unknown"
    : `$${cost.total.toFixed(4)}${cost.estimated ? " est" : ""}${unpriced > 0 ? ` + ${unpriced} unpriced` : ""}`,
];

/** Unknown is not zero. */
const count = (tokens: number | undefined): string => tokens?.toLocaleString("en-US") ?? "–";
