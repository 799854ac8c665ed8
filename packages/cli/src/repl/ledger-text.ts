import type { Usage } from "mull";
import { grouped } from "mull/wire";
import { sharesOf, type LedgerEntry, type Share } from "./answer.ts";
import { describeCost, dollars, seconds } from "./format.ts";

type LedgerRow = readonly string[];
const head: LedgerRow = ["#", "model", "level", "in", "cache", "thinking", "out", "time", "cost"];
const leftAligned = new Set([1, 2]);

export interface Ledger {
  readonly answers: readonly LedgerEntry[];
  /** Paid for as well, though they are out of sight. */
  readonly takenBack: readonly LedgerEntry[];
  /** What a turn of the dial would cost now. */
  readonly turning?: string | undefined;
  /** Columns of the window: if the table has no room, every row becomes two lines. */
  readonly columns?: number | undefined;
}

/** What every answer used, a row for each of its models, and the sum. */
export function ledgerLines({
  answers,
  takenBack,
  turning,
  columns = 80,
}: Ledger): readonly string[] {
  const all = [...answers, ...takenBack];
  if (all.length === 0) return ["No answer yet, so nothing was spent."];
  const rows = answers.flatMap((answer, index) => rowsOf(answer, index + 1));
  const away = takenBack.length === 0 ? [] : [sumOf(takenBack, `${takenBack.length} taken back`)];
  const entries = [head, ...rows, ...away, sumOf(all)];
  const table = entries.filter((entry) => typeof entry !== "string");
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const isNarrow = widths.reduce((sum, width) => sum + width + 2, 0) > columns;
  const lines = isNarrow
    ? entries.slice(1).flatMap(stacked)
    : entries.map((entry) => inColumns(entry, widths));
  return [
    ...lines.map((line) => ` ${line}`),
    ` ${legendOf(all)}Thinking is billed as output.`,
    ...(turning === undefined ? [] : [` ${turning}`]),
  ];
}

const inColumns = (entry: LedgerRow | string, widths: readonly number[]): string =>
  typeof entry === "string"
    ? `${" ".repeat(widths[0]!)}  ${entry}`
    : entry
        .map((cell, column) =>
          leftAligned.has(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join("  ")
        .trimEnd();

/** `1  claude-opus-5-5 · med · 1.7 s · $0.0051`, and its tokens under it. */
function stacked(entry: LedgerRow | string): readonly string[] {
  if (typeof entry === "string") return [`   ${entry}`];
  const [number = "", model = "", level = "", input, cache, thinking, out, time = "", cost = ""] =
    entry;
  const about = [model === "" && number === "" ? "all" : model, level, time, cost];
  return [
    `${number.padEnd(2)} ${about.filter((word) => word !== "").join(" · ")}`,
    `   in ${input}${cache === "0" ? "" : ` · cache ${cache}`} · thinking ${thinking} · out ${out}`,
  ];
}

function legendOf(answers: readonly LedgerEntry[]): string {
  const isGuessed = answers.some(({ usage }) => isGuess(usage));
  const isUnknown = answers.some(({ usage }) => usage.thinking === undefined);
  const isMore = answers.some(({ cost }) => cost === undefined || cost.atLeast);
  return [
    ...(isGuessed ? ["~ estimated, the service did not say. "] : []),
    ...(isUnknown ? ["? not reported. "] : []),
    ...(isMore ? ["The sum may be higher. "] : []),
  ].join("");
}

const isGuess = ({ thinkingSource, estimated }: Usage): boolean =>
  thinkingSource === "estimated" || estimated === true;

/** One row for each model; the last one says in words if the answer was cut. */
function rowsOf(answer: LedgerEntry, number: number): readonly (LedgerRow | string)[] {
  const rows = sharesOf(answer).map((share, index) => {
    const isFirst = index === 0;
    return rowOf(share, isFirst ? String(number) : "", isFirst ? seconds(answer.totalMs) : "");
  });
  const { cut, cost } = answer;
  if (cut === undefined) return rows;
  return [...rows, cost === undefined ? cut : `${cut} · ${describeCost(cost)}`];
}

function rowOf({ model, level, usage, cost }: Share, number: string, time: string): LedgerRow {
  const about = usage.estimated ? "~" : "";
  return [
    number,
    model,
    level,
    about + grouped((usage.input ?? 0) + (usage.cacheWrite ?? 0)),
    grouped(usage.cacheRead ?? 0),
    thinkingCell(usage),
    about + grouped(usage.output ?? 0),
    time,
    cost === undefined ? "?" : `${dollars(cost.total)}${cost.estimated ? " est" : ""}`,
  ];
}

const thinkingCell = (usage: Usage): string =>
  usage.thinking === undefined
    ? "?"
    : `${usage.thinkingSource === "estimated" ? "~" : ""}${grouped(usage.thinking)}`;

function sumOf(answers: readonly LedgerEntry[], name = ""): LedgerRow {
  const sum = (pick: (answer: LedgerEntry) => number | undefined): number =>
    answers.reduce((total, answer) => total + (pick(answer) ?? 0), 0);
  const about = answers.some(({ usage }) => usage.estimated) ? "~" : "";
  const isThinkingGuess = answers.some(
    ({ usage }) => usage.thinkingSource === "estimated" || usage.thinking === undefined,
  );
  return [
    "",
    name,
    "",
    about + grouped(sum(({ usage }) => (usage.input ?? 0) + (usage.cacheWrite ?? 0))),
    grouped(sum(({ usage }) => usage.cacheRead)),
    `${isThinkingGuess ? "~" : ""}${grouped(sum(({ usage }) => usage.thinking))}`,
    about + grouped(sum(({ usage }) => usage.output)),
    seconds(sum((answer) => answer.totalMs)),
    dollars(sum(({ cost }) => cost?.total)),
  ];
}
