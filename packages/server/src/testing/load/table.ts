import { cpus, loadavg } from "node:os";
import type { Line } from "./row.ts";

const columns = ["measure", "mull", "beside it", "ratio", "target", "holds"] as const;

const verdicts: ReadonlyMap<boolean | undefined, string> = new Map([
  [true, "yes"],
  [false, "**no**"],
]);

const cellsOf = (line: Line): readonly string[] => [
  line.measure,
  line.mull,
  line.beside,
  line.ratio,
  line.target,
  verdicts.get(line.holds) ?? "",
];

const row = (cells: readonly string[]): string =>
  `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`;

export const tableOf = (lines: readonly Line[]): string =>
  [row(columns), row(columns.map(() => "---")), ...lines.map((line) => row(cellsOf(line)))].join(
    "\n",
  );

/** How busy the machine is: the number of processes that want to run. */
export const machineLoad = (): number => loadavg()[0] ?? 0;

/** Where and when it was measured, because a busy machine makes waits longer. */
export const circumstances = (now: Date, load: number): string =>
  `${cpus().length} processors with a load of ${load.toFixed(0)} before it began, Linux, Node ${process.versions.node}, ${now.toISOString().slice(0, 10)}.`;

/** The page, with its table replaced. */
export function fillTable(page: string, name: "load" | "processes" | "soak", text: string): string {
  const [before, rest] = page.split(`<!-- measured: ${name} -->\n`);
  const [, after] = (rest ?? "").split(`<!-- end: ${name} -->`);
  if (before === undefined || after === undefined) {
    throw new Error(`the page has no place for the table of ${name}`);
  }
  return `${before}<!-- measured: ${name} -->\n${text}\n<!-- end: ${name} -->${after}`;
}
