import { fold } from "./fold.ts";
import type { Io } from "./io.ts";

type Row = readonly string[];

/**
 * A plain table: columns as wide as their widest cell, two spaces between, nothing at line ends.
 * In a window too narrow for it, each row is a block of its own.
 */
export function columns(
  head: Row,
  rows: readonly Row[],
  { terminal, columns: width = Infinity }: Pick<Io, "terminal" | "columns">,
): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const table = [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const isTooWide = terminal.stdout && table.some(({ length }) => length > width);
  const lines = isTooWide ? rows.flatMap((row) => blockOf(head, row, width)) : table;
  return lines.map((line) => `${line}\n`).join("");
}

/** The first cell, then `title: cell · title: cell` under it. */
function blockOf(head: Row, [name = "", ...cells]: Row, width: number): readonly string[] {
  const lines: string[] = [];
  for (const [at, cell] of cells.entries()) {
    if (cell === "") continue;
    const pair = `${head[at + 1]}: ${cell}`;
    const last = lines.at(-1);
    if (last !== undefined && `${last} · ${pair}`.length <= width)
      lines[lines.length - 1] = `${last} · ${pair}`;
    else lines.push(`  ${pair}`);
  }
  return [name, ...lines].flatMap((line) => fold(line, width));
}
