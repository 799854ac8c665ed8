import { inlineSpans, type LexInline } from "./inline.ts";
import type { Look } from "./look.ts";
import { renderRow, wordsOf, wrapSpans, type Span, type Widths } from "./rows.ts";
import { toTerminal } from "./to-terminal.ts";

interface TableOptions {
  readonly look: Look;
  readonly widths: Widths;
  readonly lexInline: LexInline;
  readonly width: () => number;
}

type TableCell = readonly Span[];
type Align = "left" | "right" | "center";

const gap = "  ";
/** In a narrower column sentences are cut to single words: a record a row reads better then. */
const narrowestColumn = 10;
/** In a narrower window columns that wrap are hard to read across: rows are stacked instead. */
const narrowestWindow = 60;

/**
 * A Markdown table for a terminal. Cells that are too wide are wrapped in their columns; if even
 * that has no room, every row becomes a record, a line a cell. Anything else is printed as it came.
 */
export function renderTable(lines: readonly string[], options: TableOptions): readonly string[] {
  const [head, delimiter, ...body] = lines.map((line) => cellsOf(toTerminal(line)));
  const isTable = delimiter !== undefined && delimiter.every((cell) => /^:?-+:?$/.test(cell));
  if (head === undefined || !isTable) return lines.map((line) => toTerminal(line));
  const rows = [head, ...body].map((cells, index) =>
    head.map((_, column) => {
      const spans = inlineSpans(cells[column] ?? "", options.lexInline);
      return index === 0 ? spans.map(inBold) : spans;
    }),
  );
  const sizes = head.map((_, column) =>
    Math.max(
      ...rows.flatMap((row) => linesOf(row[column]!).map((line) => sizeOf(line, options.widths))),
    ),
  );
  const words = head.map((_, column) =>
    Math.max(...rows.map((row) => longestWord(row[column]!, options.widths))),
  );
  const room = options.width() - gap.length * (head.length - 1);
  const fitted =
    options.width() < narrowestWindow - 1 && total(sizes) > room
      ? undefined
      : fitColumns(sizes, words, room);
  return fitted === undefined
    ? drawRecords(rows, options)
    : drawColumns(rows, fitted, delimiter.map(alignOf), options);
}

const onOneLine = (span: Span): Span => ({ ...span, text: span.text.replaceAll("\n", " ") });

const inBold = (span: Span): Span => ({ ...span, formats: ["bold", ...(span.formats ?? [])] });

const alignOf = (delimiter: string): Align => {
  if (!delimiter.endsWith(":")) return "left";
  return delimiter.startsWith(":") ? "center" : "right";
};

const sizeOf = (row: TableCell, widths: Widths): number =>
  row.reduce((sum, { text }) => sum + widths.of(text), 0);

/** The lines of a cell, as its line breaks make them. */
function linesOf(cell: TableCell): readonly TableCell[] {
  const lines: Span[][] = [[]];
  for (const span of cell) {
    const [first = "", ...others] = span.text.split("\n");
    lines.at(-1)!.push({ ...span, text: first });
    for (const text of others) lines.push([{ ...span, text }]);
  }
  return lines;
}

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const longestWord = (cell: TableCell, widths: Widths): number =>
  Math.max(0, ...wordsOf(cell).map((word) => sizeOf(word, widths)));

/** The widest columns give way, but never a word in them; undefined when that is too little. */
function fitColumns(
  sizes: readonly number[],
  words: readonly number[],
  room: number,
): readonly number[] | undefined {
  const fit = (most: number): readonly number[] =>
    sizes.map((size, column) => Math.min(size, Math.max(most, words[column]!)));
  let most = Math.max(...sizes);
  while (total(fit(most)) > room && most > narrowestColumn) most--;
  return total(fit(most)) > room ? undefined : fit(most);
}

function drawColumns(
  rows: readonly (readonly TableCell[])[],
  sizes: readonly number[],
  aligns: readonly Align[],
  { look, widths }: TableOptions,
): readonly string[] {
  const blocks = rows.map((cells) => {
    const columns = cells.map((cell, column) =>
      linesOf(cell).flatMap((line) => wrapSpans(line, widths, { width: sizes[column]! })),
    );
    const height = Math.max(...columns.map(({ length }) => length));
    return Array.from({ length: height }, (_, row) =>
      columns
        .map((column, at) => aligned(column[row] ?? [], sizes[at]!, aligns[at] ?? "left"))
        .join(gap)
        .trimEnd(),
    );
  });
  function aligned(cell: TableCell, size: number, align: Align): string {
    const free = Math.max(0, size - sizeOf(cell, widths));
    const before = { left: 0, right: free, center: Math.floor(free / 2) }[align];
    return " ".repeat(before) + renderRow(cell, look) + " ".repeat(free - before);
  }
  const line = look.paint(look.spell(sizes.map((size) => "─".repeat(size)).join(gap)), "dim");
  const [head = [], ...body] = blocks;
  // Rows of several lines would run into each other without an empty one between them.
  const between = body.some(({ length }) => length > 1) ? [""] : [];
  return [
    ...head,
    line,
    ...body.flatMap((block, at) => (at === 0 ? block : [...between, ...block])),
  ];
}

function drawRecords(
  [head = [], ...body]: readonly (readonly TableCell[])[],
  { look, widths, width }: TableOptions,
): readonly string[] {
  const record = (cells: readonly TableCell[]): readonly string[] =>
    cells.flatMap((cell, column) =>
      cell.length === 0
        ? []
        : wrapSpans([...head[column]!, inBold({ text: ": " }), ...cell].map(onOneLine), widths, {
            width: width(),
            hanging: { text: gap },
          }).map((row) => renderRow(row, look)),
    );
  return body.flatMap((cells, at) => (at === 0 ? record(cells) : ["", ...record(cells)]));
}

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"));
