import { cpus } from "node:os";
import type { Line } from "./row.ts";

const columns = ["measure", "mull", "beside it", "ratio", "target", "holds"] as const;

const cellsOf = (line: Line): readonly string[] => [
  line.measure,
  line.mull,
  line.beside,
  line.ratio,
  line.target,
  line.holds ? "yes" : "**no**",
];

const row = (cells: readonly string[]): string =>
  `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");

export const tableOf = (lines: readonly Line[]): string =>
  [row(columns), row(columns.map(() => "---")), ...lines.map((line) => row(cellsOf(line)))].join(
    "\n",
  );

/** Where and when it was measured. */
export const circumstances = (now: Date): string =>
  `${cpus().length} processors, Linux, Node ${process.versions.node}, ${now.toISOString().slice(0, 10)}.`;

const block = /<!-- measured: load -->\n[\s\S]*?<!-- end: load -->/;

/** The page with the table in its place. */
export function fillTable(page: string, text: string): string {
  if (!block.test(page)) throw new Error("the page has no place for the table");
  return page.replace(block, () => `<!-- measured: load -->\n${text}\n<!-- end: load -->`);
}
