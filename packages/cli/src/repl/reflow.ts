import type { Region } from "./paint-rows.ts";
import { graphemesOf, type Widths } from "./width.ts";

/** What a terminal does with rows that became too wide for it. */
export type Reflow = "breaks" | "breaks-others" | "cuts";

/** Known by what they put into the environment; VS Code shows `xterm.js`, which is no xterm. */
export const reflowOf = (env: Readonly<Record<string, string | undefined>>): Reflow => {
  const term = env["TERM"] ?? "";
  if (env["TMUX"] !== undefined) return "breaks";
  if (env["XTERM_VERSION"] !== undefined || /^(?:linux|screen)/.test(term)) return "cuts";
  return env["TERM_PROGRAM"] === "vscode" ? "breaks-others" : "breaks";
};

type Climb = (region: Region, rowsMore: readonly number[], own: number) => number;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** How far above the cursor the region begins now; `own` is how far its own row pushed it down. */
const climbs: Readonly<Record<Reflow, Climb>> = {
  /** Breaks every row and keeps the cursor on its character. */
  breaks: ({ cursor }, more, own) => cursor.row + sum(more.slice(0, cursor.row)) + own,
  /** Goes up row by row, moves the cursor with each it breaks, and leaves the one it is then in. */
  "breaks-others": ({ cursor }, more) =>
    more.reduceRight((at, rows, row) => (at === row ? at : at + rows), cursor.row),
  cuts: ({ cursor }) => cursor.row,
};

/** Rows from the cursor up to the start of a region that was painted on a wider screen. */
export function rowsUp(region: Region, columns: number, reflow: Reflow, widths: Widths): number {
  const { rows, cursor } = region;
  const more = rows.map((text) => breaksBefore(text, widths.of(text) - 1, columns, widths));
  const own = breaksBefore(rows[cursor.row] ?? "", cursor.column, columns, widths);
  return climbs[reflow](region, more, own);
}

/**
 * How often a text is broken before one of its columns. A wide character that would stick out goes
 * to the next row whole, so that there may be more rows than the columns alone would need.
 */
function breaksBefore(text: string, column: number, columns: number, widths: Widths): number {
  let breaks = 0;
  let used = 0;
  let at = 0;
  for (const cell of graphemesOf(text)) {
    const size = widths.of(cell);
    if (used + size > columns && used > 0) {
      breaks++;
      used = 0;
    }
    if (at >= column) return breaks;
    used += size;
    at += size;
  }
  return breaks + Math.max(0, Math.floor((used + column - at) / columns));
}
