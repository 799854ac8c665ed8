import { graphemesOf, type Widths } from "./width.ts";

/** What the line editor holds: a character as people see it, or a paste that stands as one. */
type Cell = string | Paste;

interface Paste {
  readonly text: string;
  readonly label: string;
}

/** Pastes of more lines are shown as a label. They are sent whole. */
const longPaste = 10;

const isWordCell = (cell: Cell | undefined): boolean =>
  cell !== undefined && (typeof cell !== "string" || /[\p{L}\p{N}_]/u.test(cell));

export interface EditorLayout {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** A text of several lines under the cursor. Knows nothing of screens and keys. */
export class Editor {
  #cells: Cell[] = [];
  #cursor = 0;
  #killed: Cell[] = [];
  #pastes = 0;

  /** The whole text, pastes included. */
  get text(): string {
    return this.#cells.map((cell) => (typeof cell === "string" ? cell : cell.text)).join("");
  }
  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }
  /** The text as the editor shows it: long pastes as their label. */
  get shown(): string {
    return this.#cells.map((cell) => (typeof cell === "string" ? cell : cell.label)).join("");
  }
  /** The text before the cursor, for completion. */
  get before(): string {
    return this.#textOf(0, this.#cursor);
  }
  get isAtEnd(): boolean {
    return this.#cursor === this.#cells.length;
  }
  get isOnFirstLine(): boolean {
    return !this.#cells.slice(0, this.#cursor).includes("\n");
  }
  get isOnLastLine(): boolean {
    return !this.#cells.slice(this.#cursor).includes("\n");
  }

  set(text: string): void {
    this.#cells = [...graphemesOf(text)];
    this.#cursor = this.#cells.length;
  }

  clear(): void {
    this.set("");
    this.#pastes = 0;
  }

  insert(text: string): void {
    // A combining mark may join what is already there, so the neighbourhood is cut anew.
    const start = this.#cursor - (typeof this.#cells[this.#cursor - 1] === "string" ? 1 : 0);
    const joined = this.#textOf(start, this.#cursor) + text;
    const cells = graphemesOf(joined);
    this.#cells.splice(start, this.#cursor - start, ...cells);
    this.#cursor = start + cells.length;
  }

  /** One insertion, newlines included. */
  paste(text: string): void {
    const lines = text.split("\n").length;
    if (lines <= longPaste) {
      this.insert(text);
      return;
    }
    this.#pastes++;
    this.#cells.splice(this.#cursor, 0, {
      text,
      label: `[paste ${this.#pastes} · ${lines} lines]`,
    });
    this.#cursor++;
  }

  left(): void {
    this.#cursor = Math.max(0, this.#cursor - 1);
  }
  right(): void {
    this.#cursor = Math.min(this.#cells.length, this.#cursor + 1);
  }
  wordLeft(): void {
    this.#cursor = this.#wordStart();
  }
  wordRight(): void {
    this.#cursor = this.#wordEnd();
  }
  lineStart(): void {
    this.#cursor = this.#startOfLine(this.#cursor);
  }
  lineEnd(): void {
    this.#cursor = this.#endOfLine(this.#cursor);
  }

  up(): void {
    const start = this.#startOfLine(this.#cursor);
    if (start === 0) return;
    const above = this.#startOfLine(start - 1);
    this.#cursor = Math.min(above + (this.#cursor - start), start - 1);
  }
  down(): void {
    const end = this.#endOfLine(this.#cursor);
    if (end === this.#cells.length) return;
    const column = this.#cursor - this.#startOfLine(this.#cursor);
    this.#cursor = Math.min(end + 1 + column, this.#endOfLine(end + 1));
  }

  backspace(): void {
    if (this.#cursor > 0) this.#remove(this.#cursor - 1, this.#cursor);
  }
  delete(): void {
    this.#remove(this.#cursor, this.#cursor + 1);
  }
  killToEnd(): void {
    const end = this.#endOfLine(this.#cursor);
    this.#kill(this.#cursor, end === this.#cursor ? end + 1 : end);
  }
  killToStart(): void {
    this.#kill(this.#startOfLine(this.#cursor), this.#cursor);
  }
  killWord(): void {
    this.#kill(this.#wordStart(), this.#cursor);
  }
  killWordRight(): void {
    this.#kill(this.#cursor, this.#wordEnd());
  }
  yank(): void {
    this.#cells.splice(this.#cursor, 0, ...this.#killed);
    this.#cursor += this.#killed.length;
  }

  /** A backslash before the cursor asks for a new line instead of sending. */
  takeBackslash(): boolean {
    if (this.#cells[this.#cursor - 1] !== "\\") return false;
    this.backspace();
    return true;
  }

  /** Rows of at most `width` columns, the prompt before the first; a window of `height` around the cursor. */
  layout(prompt: string, width: number, height: number, widths: Widths): EditorLayout {
    const indent = " ".repeat(widths.of(prompt));
    const rows: string[] = [prompt];
    let used = indent.length;
    let cursor = { row: 0, column: used };
    const feed = (): void => {
      rows.push(indent);
      used = indent.length;
    };
    this.#cells.forEach((cell, index) => {
      const shown = typeof cell === "string" ? visible(cell) : cell.label;
      const size = cell === "\n" ? 0 : widths.of(shown);
      if (cell !== "\n" && used + size > width) feed();
      if (index === this.#cursor) cursor = { row: rows.length - 1, column: used };
      if (cell === "\n") feed();
      else {
        rows[rows.length - 1] += shown;
        used += size;
      }
    });
    if (this.isAtEnd) {
      if (used >= width) feed();
      cursor = { row: rows.length - 1, column: used };
    }
    const first = Math.max(0, Math.min(cursor.row - height + 1, rows.length - height));
    return {
      rows: rows.slice(first, first + height),
      cursor: { row: cursor.row - first, column: cursor.column },
    };
  }

  #textOf(start: number, end: number): string {
    return this.#cells
      .slice(start, end)
      .map((cell) => (typeof cell === "string" ? cell : cell.text))
      .join("");
  }
  #remove(start: number, end: number): void {
    this.#cells.splice(start, end - start);
    this.#cursor = Math.min(start, this.#cells.length);
  }
  #kill(start: number, end: number): void {
    if (start >= end) return;
    this.#killed = this.#cells.slice(start, end);
    this.#remove(start, end);
  }
  #startOfLine(at: number): number {
    return at === 0 ? 0 : this.#cells.lastIndexOf("\n", at - 1) + 1;
  }
  #endOfLine(at: number): number {
    const end = this.#cells.indexOf("\n", at);
    return end < 0 ? this.#cells.length : end;
  }
  #wordStart(): number {
    let at = this.#cursor;
    while (at > 0 && !isWordCell(this.#cells[at - 1])) at--;
    while (at > 0 && isWordCell(this.#cells[at - 1])) at--;
    return at;
  }
  #wordEnd(): number {
    let at = this.#cursor;
    while (at < this.#cells.length && !isWordCell(this.#cells[at])) at++;
    while (at < this.#cells.length && isWordCell(this.#cells[at])) at++;
    return at;
  }
}

/** What was pasted may hold control characters; the editor shows them as signs. */
const visible = (cell: string): string => {
  if (cell === "\t") return "    ";
  const code = cell.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return code === 0x7f || (code >= 0x80 && code < 0xa0) ? "?" : cell;
};
