import { stripVTControlCharacters } from "node:util";
import { paintRows, type Position, type Region } from "./paint-rows.ts";
import { rowsUp, type Reflow } from "./reflow.ts";
import type { Clock, Terminal } from "./terminal.ts";
import type { Widths } from "./width.ts";

/** What is drawn at the bottom and may change: rows that each fit the screen, and the cursor. */
export interface Live {
  readonly rows: readonly string[];
  readonly cursor: Position;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Makes the live region for a size; asked for at every paint. */
type View = (size: Size) => Live;

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
  readonly clock: Clock;
  readonly widths: Widths;
  readonly view: View;
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
    const live: Live = { rows: rows.map(pinned), cursor };
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
