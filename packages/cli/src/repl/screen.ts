import { stripVTControlCharacters } from "node:util";
import type { ReplClock, Terminal } from "./terminal.ts";
import { type Widths, graphemesOf } from "./rows.ts";

/** Rows at the bottom of the screen that may still change, and where the cursor is among them. */
export interface Region {
  readonly rows: readonly string[];
  readonly cursor: Position;
}

export interface Position {
  readonly row: number;
  readonly column: number;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Makes the live region for a size; asked for at every paint. */
type DrawRegion = (size: Size) => Region;

/** 30 paints a second at most; what only streams in can wait for more of it. */
const keyMs = 34;
const streamMs = 70;

const syncOn = "\u001b[?2026h";
const syncOff = "\u001b[?2026l";

/** Emoji of several code points: terminals do not agree on their columns. */
const unsure = /\u200d|\ufe0f|\p{RI}|\p{EMod}/u;
/** A row that turns out wider stays one row: its end is cut instead of pushing the rest down. */
const pinned = (row: string): string => (unsure.test(row) ? `\u001b[?7l${row}\u001b[?7h` : row);
/** What a terminal shows of a row. */
const textOf = (row: string): string => stripVTControlCharacters(row).replaceAll("\t", "        ");
const empty: Region = { rows: [], cursor: { row: 0, column: 0 } };

export interface ScreenOptions {
  readonly terminal: Pick<Terminal, "write" | "size" | "onResize">;
  readonly clock: ReplClock;
  readonly widths: Widths;
  readonly view: DrawRegion;
  readonly reflow: Reflow;
}

/**
 * Finished rows are printed once and never touched again; below them is a small live region that is
 * redrawn row by row. Each paint is one write.
 */
export class Screen {
  readonly #options: ScreenOptions;
  readonly #unlisten: () => void;
  #shown: Region = empty;
  #width: number;
  #finished: string[] = [];
  #paintedAt = -Infinity;
  #due: { readonly at: number; readonly cancel: () => void } | undefined;
  #isHeld = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#width = options.terminal.size().columns;
    this.#unlisten = options.terminal.onResize(() => this.#resize());
  }

  /** Puts rows above the live region for good. They may be wider than the screen. */
  print(rows: readonly string[]): void {
    this.#finished.push(...rows);
    this.touch("stream");
  }

  /** Something changed. */
  touch(cause: "key" | "stream" = "key"): void {
    if (this.#isHeld) return;
    const { clock } = this.#options;
    const at = Math.max(clock.now(), this.#paintedAt + (cause === "key" ? keyMs : streamMs));
    if (this.#due !== undefined) {
      if (this.#due.at <= at) return;
      this.#due.cancel();
    }
    this.#due = { at, cancel: clock.after(Math.max(0, at - clock.now()), () => this.paint()) };
  }

  /** Paints now. */
  paint(): void {
    this.#due?.cancel();
    this.#due = undefined;
    if (this.#isHeld) return;
    const { terminal, clock, view } = this.#options;
    const size = terminal.size();
    const { cursor, rows } = view(size);
    const live: Region = { rows: rows.map(pinned), cursor };
    const finished = this.#finished;
    this.#finished = [];
    const above = finished.length;
    const next: Region = {
      rows: [...finished, ...live.rows],
      cursor: { row: above + live.cursor.row, column: live.cursor.column },
    };
    const bulk =
      next.rows.length > size.rows - 1 ||
      finished.some((row) => unsure.test(row) || this.#widthOf(row) > size.columns);
    const bytes = paintRows(this.#shown, next, bulk);
    this.#shown = { rows: live.rows, cursor: live.cursor };
    this.#paintedAt = clock.now();
    if (bytes === "") return;
    terminal.write(bytes.length < 120 ? bytes : `${syncOn}${bytes}${syncOff}`);
  }

  /** Takes the live region off the screen, e.g. for an editor, until `resume`. */
  hold(): void {
    this.paint();
    this.#due?.cancel();
    this.#due = undefined;
    this.#erase(this.#shown.cursor.row);
    this.#isHeld = true;
  }

  resume(): void {
    this.#isHeld = false;
    this.paint();
  }

  /** Prints what is left and leaves the cursor at the start of a free row. */
  end(): void {
    this.#unlisten();
    this.hold();
  }

  #widthOf(row: string): number {
    return this.#options.widths.of(textOf(row));
  }

  #erase(rows: number): void {
    const up = rows > 0 ? `\u001b[${rows}A` : "";
    this.#options.terminal.write(`${up}\r\u001b[J`);
    this.#shown = empty;
  }

  /** Rows the terminal broke in two are counted as it shows them now, so that only ours go. */
  #resize(): void {
    const { columns, rows } = this.#options.terminal.size();
    const { widths, reflow } = this.#options;
    const region = { rows: this.#shown.rows.map(textOf), cursor: this.#shown.cursor };
    const isBroken = columns < this.#width;
    const up = isBroken ? rowsUp(region, columns, reflow, widths) : region.cursor.row;
    this.#width = columns;
    if (this.#isHeld) return;
    this.#erase(Math.min(up, rows - 1));
    this.touch("key");
  }
}

const csi = "\u001b[";
const move = (from: number, to: number): string => {
  if (from === to) return "";
  return to < from ? `${csi}${from - to}A` : `${csi}${to - from}B`;
};
const right = (columns: number): string => (columns === 0 ? "" : `${csi}${columns}C`);

/** Characters a change of look cannot hide in. */
const plain = /^[\x20-\x7e]*/;

/** Only what differs of a row is written; the same look must hold from there on. */
function rewrite(old: string, next: string): string {
  let same = 0;
  const limit = Math.min(plain.exec(old)![0].length, plain.exec(next)![0].length);
  while (same < limit && old[same] === next[same]) same++;
  const rest = old.length > same && next.length === same ? `${csi}K` : "";
  const clear = rest === "" && old.length > same ? `${csi}K` : rest;
  return `\r${right(same)}${clear}${next.slice(same)}`;
}

/**
 * The bytes that turn one region into the next. Rows leave upwards into the scrollback by not being
 * in the next region any more: nothing above the region is ever addressed, and the screen is never
 * cleared. `bulk` says that rows may be wider than the screen or more than fit on it: then
 * everything from the first difference on is rewritten.
 */
function paintRows(old: Region, next: Region, bulk: boolean): string {
  // In bulk at least one old row is written again: below the last of them there may be no screen.
  const most = bulk ? Math.max(old.rows.length - 1, 0) : old.rows.length;
  const head = Math.min(sameHead(old.rows, next.rows), most);
  const tail = sameTail(old.rows, next.rows, head);
  const before = old.rows.length - head - tail;
  const after = next.rows.length - head - tail;
  let at = old.cursor.row;
  let bytes = "";
  if (bulk) {
    bytes += `${move(at, head)}\r${csi}J${next.rows.slice(head).join("\r\n")}`;
    at = Math.max(next.rows.length - 1, head);
  } else {
    const grown = after - before;
    if (grown > 0) {
      const last = Math.max(old.rows.length - 1, 0);
      const missing = old.rows.length === 0 ? grown - 1 : grown;
      bytes += `${move(at, last)}\r${"\n".repeat(missing)}`;
      at = last + missing;
      if (tail > 0) {
        bytes += `${move(at, head + before)}${csi}${grown}L`;
        at = head + before;
      }
    } else if (grown < 0) {
      bytes += `${move(at, head + after)}\r${tail > 0 ? `${csi}${-grown}M` : `${csi}J`}`;
      at = head + after;
    }
    for (let row = head; row < head + after; row++) {
      const was = row < head + before ? (old.rows[row] ?? "") : "";
      const will = next.rows[row]!;
      if (was === will) continue;
      bytes += move(at, row) + rewrite(was, will);
      at = row;
    }
  }
  const isStill =
    bytes === "" && old.cursor.row === next.cursor.row && old.cursor.column === next.cursor.column;
  return isStill ? "" : `${bytes}${move(at, next.cursor.row)}\r${right(next.cursor.column)}`;
}

function sameHead(one: readonly string[], other: readonly string[]): number {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same++;
  return same;
}

function sameTail(one: readonly string[], other: readonly string[], head: number): number {
  const most = Math.min(one.length, other.length) - head;
  let same = 0;
  while (same < most && one.at(-1 - same) === other.at(-1 - same)) same++;
  return same;
}

/** What a terminal does with rows that became too wide for it. */
export type Reflow = "breaks" | "breaks-others" | "cuts";

/** Told apart by their environment variables. VS Code's `xterm.js` does not behave like xterm. */
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
