import { hasOpenMarks, inlineSpans, type LexInline } from "./inline.ts";
import type { FindPainter, PaintLine } from "./highlight.ts";
import type { Look } from "./look.ts";
import { firstUnit, lastBreak, renderRow, wrapSpans, type Span, type Widths } from "./rows.ts";
import { renderTable } from "./table.ts";
import { toTerminal } from "./to-terminal.ts";

export interface MarkdownOptions {
  readonly look: Look;
  readonly widths: Widths;
  readonly lexInline: LexInline;
  /** Colours code; absent until it is loaded, and if there are no colours. */
  readonly findPainter?: () => FindPainter | undefined;
  /** Columns to fill. Asked for every row, so that a resize holds from there on. */
  readonly width: () => number;
}

/** How a line begins, and what hangs under it when it wraps. */
interface LineLead {
  readonly lead: readonly Span[];
  readonly hanging: string;
  readonly rest: string;
  readonly formats?: Span["formats"];
}

/** Any indent: it may be in a list. Backticks that close on the same line are not a fence. */
const fence = /^\s*(`{3,}(?!.*`)|~{3,})(.*)$/;
const tableRow = /^\s*\|.*\S/;
const rule = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const quote = /^ {0,3}((?:>\s?)+)(.*)$/;
const bullet = /^(\s*)([-*+])\s+(.*)$/;
const ordered = /^(\s*)(\d{1,9}[.)])\s+(.*)$/;

/**
 * Markdown for a terminal, line by line as the newlines arrive: each line is read once, so time is
 * linear. Code is printed as it is; a table waits until it is whole; a long paragraph goes out row
 * by row as soon as no mark in it is open.
 */
export class MarkdownStream {
  readonly #options: MarkdownOptions;
  #line = "";
  /** The line began in a row already printed; the rest continues below. */
  #going: LineLead | undefined;
  #fence: string | undefined;
  #code: { readonly paint: PaintLine; readonly before: string } | undefined;
  #table: string[] = [];
  #triedLength = 0;

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  /** Takes more text; returns the rows that are finished. */
  push(text: string): readonly string[] {
    const [first = "", ...others] = (this.#line + text).split("\n");
    const rows: string[] = [];
    let line = first;
    for (const next of others) {
      rows.push(...this.#finishLine(line));
      line = next;
    }
    this.#line = line;
    rows.push(...this.#releaseRows());
    return rows;
  }

  /** The unfinished line as it looks so far: its last rows. */
  open(height: number): readonly string[] {
    if (this.#line === "" && this.#table.length === 0) return [];
    const shown = this.#table.length > 0 ? [...this.#table, this.#line] : [this.#line];
    const rows =
      this.#fence !== undefined || this.#table.length > 0
        ? shown.flatMap((line) => this.#rawRows(line))
        : this.#render(this.#line);
    return rows.slice(-height);
  }

  /** The text ended. */
  end(): readonly string[] {
    const rows = this.#line === "" ? [] : [...this.#finishLine(this.#line)];
    this.#line = "";
    return [...rows, ...this.#closeTable()];
  }

  #finishLine(source: string): readonly string[] {
    const line = source.endsWith("\r") ? source.slice(0, -1) : source;
    this.#triedLength = 0;
    const mark = fence.exec(line);
    if (this.#fence !== undefined) {
      if (mark === null || !mark[1]!.startsWith(this.#fence) || mark[2]!.trim() !== "")
        return [this.#paintCode(line)];
      this.#fence = undefined;
      this.#code = undefined;
      return [this.#options.look.paint(toTerminal(line), "dim")];
    }
    if (this.#going === undefined && tableRow.test(line)) {
      this.#table.push(line);
      return [];
    }
    const before = this.#closeTable();
    if (this.#going === undefined && mark !== null) {
      this.#fence = mark[1]!;
      const paint = this.#options.findPainter?.()?.(mark[2]!);
      this.#code = paint === undefined ? undefined : { paint, before: "" };
      return [...before, this.#options.look.paint(toTerminal(line), "dim")];
    }
    const rows = this.#render(line);
    this.#going = undefined;
    return [...before, ...rows];
  }

  #render(line: string): readonly string[] {
    const { look, widths, lexInline, width } = this.#options;
    const block = this.#going ?? blockOf(line, width());
    const rest = toTerminal(this.#going === undefined ? block.rest : line);
    const spans = inlineSpans(rest, lexInline).map((span) => ({
      text: span.text.replaceAll("\n", " "),
      formats: [...(block.formats ?? []), ...(span.formats ?? [])],
    }));
    const rows = wrapSpans([...block.lead, ...spans], widths, {
      width: width(),
      ...(block.hanging !== "" && { hanging: { text: block.hanging } }),
    });
    return rows.map((row) => look.spell(renderRow(row, look)));
  }

  /** Lets the full rows of a long line go, up to a place where no mark is open. */
  #releaseRows(): readonly string[] {
    if (this.#fence !== undefined || this.#table.length > 0 || tableRow.test(this.#line)) return [];
    if (fence.test(this.#line)) return [];
    // A line that did not let go is looked at again when it has grown by a row, not with every word.
    if (this.#line.length < this.#triedLength + this.#options.width()) return [];
    const rows = this.#render(this.#line).length;
    if (rows < 3) return [];
    this.#triedLength = this.#line.length;
    const line = this.#line;
    for (let at = lastBreak(line, line.length), tries = 0; at > 0 && tries < 60; tries++) {
      const next = firstUnit(line.slice(at));
      const head = line.slice(0, at);
      const full = this.#render(head);
      const isRowEnd = this.#render(head + next).length > full.length;
      if (isRowEnd && full.length < rows && !hasOpenMarks(head) && !head.endsWith(" ")) {
        const block = this.#going ?? blockOf(line, this.#options.width());
        const lead = block.hanging === "" ? [] : [{ text: block.hanging }];
        this.#going = { ...block, lead };
        this.#line = line.slice(at).trimStart();
        this.#triedLength = 0;
        return full;
      }
      at = lastBreak(line, at - 1);
    }
    return [];
  }

  #paintCode(source: string): string {
    const line = toTerminal(source);
    if (this.#code === undefined) return line;
    const { spans, before } = this.#code.paint(line, this.#code.before);
    this.#code = { ...this.#code, before };
    return renderRow(spans, this.#options.look);
  }

  #rawRows(line: string): readonly string[] {
    const { look, widths, width } = this.#options;
    const text = toTerminal(line);
    const spans = this.#code?.paint(text, this.#code.before).spans ?? [{ text }];
    const untabbed = spans.map((span) => ({ ...span, text: span.text.replaceAll("\t", "    ") }));
    return wrapSpans(untabbed, widths, { width: width() }).map((row) => renderRow(row, look));
  }

  #closeTable(): readonly string[] {
    if (this.#table.length === 0) return [];
    const lines = this.#table;
    this.#table = [];
    return renderTable(lines, this.#options);
  }
}

function blockOf(line: string, width: number): LineLead {
  const plain = { lead: [], hanging: "" };
  if (rule.test(line)) {
    const text = "─".repeat(Math.min(width, 40));
    return { lead: [{ text, formats: ["dim"] }], hanging: "", rest: "" };
  }
  const title = heading.exec(line);
  if (title !== null) {
    const formats = title[1]!.length === 1 ? (["bold", "underline"] as const) : (["bold"] as const);
    return { ...plain, rest: title[2]!, formats };
  }
  const quoted = quote.exec(line);
  if (quoted !== null) {
    const bar = "┆ ".repeat(quoted[1]!.replaceAll(/\s/g, "").length);
    return { lead: [{ text: bar, formats: ["dim"] }], hanging: bar, rest: quoted[2]! };
  }
  const item = bullet.exec(line) ?? ordered.exec(line);
  if (item !== null) {
    const sign = /\d/.test(item[2]!) ? item[2]! : "•";
    const lead = `${item[1]!.replaceAll("\t", "  ")}${sign} `;
    return { lead: [{ text: lead }], hanging: " ".repeat(lead.length), rest: item[3]! };
  }
  const indent = /^\s*/.exec(line)![0].replaceAll("\t", "    ");
  return { lead: indent === "" ? [] : [{ text: indent }], hanging: indent, rest: line.trim() };
}
