import type { Usage } from "mull";
import type { Answer } from "./answer.ts";
import { dollars, grouped, seconds } from "./format.ts";

type Row = readonly string[];
const head: Row = ["#", "model", "level", "in", "cache", "thinking", "out", "time", "cost"];
const leftAligned = new Set([1, 2]);

export interface Ledger {
  readonly answers: readonly Answer[];
  /** Paid for as well, though they are out of sight. */
  readonly takenBack: readonly Answer[];
  /** What a turn of the dial would cost now. */
  readonly turning?: string | undefined;
}

/** What every answer took, and the sum. */
export function ledgerLines({ answers, takenBack, turning }: Ledger): readonly string[] {
  const all = [...answers, ...takenBack];
  if (all.length === 0) return ["No answer yet, so nothing was spent."];
  const rows = answers.map((answer, index) => rowOf(answer, index + 1));
  const away = takenBack.length === 0 ? [] : [sumOf(takenBack, `${takenBack.length} taken back`)];
  const table = [head, ...rows, ...away, sumOf(all)];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) =>
        leftAligned.has(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd(),
  );
  const isGuessed = all.some(({ usage }) => usage.thinkingSource === "estimated");
  const isUnknown = all.some(({ usage }) => usage.thinking === undefined);
  return [
    ...lines.map((line) => ` ${line}`),
    ` ${isGuessed ? "~ estimated, the service did not say. " : ""}${isUnknown ? "? not reported. " : ""}Thinking is billed as output.`,
    ...(turning === undefined ? [] : [` ${turning}`]),
  ];
}

function rowOf(answer: Answer, number: number): Row {
  const { usage, cost } = answer;
  return [
    String(number),
    answer.model,
    answer.level,
    grouped((usage.input ?? 0) + (usage.cacheWrite ?? 0)),
    grouped(usage.cacheRead ?? 0),
    thinkingCell(usage),
    grouped(usage.output ?? 0),
    seconds(answer.totalMs),
    cost === undefined ? "?" : `${dollars(cost.total)}${cost.estimated ? " est" : ""}`,
  ];
}

const thinkingCell = ({ thinking, thinkingSource }: Usage): string =>
  thinking === undefined ? "?" : `${thinkingSource === "estimated" ? "~" : ""}${grouped(thinking)}`;

function sumOf(answers: readonly Answer[], name = ""): Row {
  const sum = (pick: (answer: Answer) => number | undefined): number =>
    answers.reduce((total, answer) => total + (pick(answer) ?? 0), 0);
  const isGuess = answers.some(
    ({ usage }) => usage.thinkingSource === "estimated" || usage.thinking === undefined,
  );
  return [
    "",
    name,
    "",
    grouped(sum(({ usage }) => (usage.input ?? 0) + (usage.cacheWrite ?? 0))),
    grouped(sum(({ usage }) => usage.cacheRead)),
    `${isGuess ? "~" : ""}${grouped(sum(({ usage }) => usage.thinking))}`,
    grouped(sum(({ usage }) => usage.output)),
    seconds(sum((answer) => answer.totalMs)),
    dollars(sum(({ cost }) => cost?.total)),
  ];
}
