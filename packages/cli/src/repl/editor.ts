import { graphemesOf, type Widths } from "./rows.ts";
import type { Region } from "./screen.ts";

/** A unit of the line editor: a character as people see it, or a whole paste. */
type EditorCell = string | Paste;

interface Paste {
  readonly text: string;
  readonly label: string;
}

/** Pastes of more lines, and texts of more characters, are shown as a label. They are sent whole. */
const longPaste = 10;
const longText = 20_000;

/** A longer path is not completed: only so much is looked at for every key. */
const longestMention = 300;

const isWordCell = (cell: EditorCell | undefined): boolean =>
  cell !== undefined && (typeof cell !== "string" || /[\p{L}\p{N}_]/u.test(cell));

/** A text of several lines under the cursor. Knows nothing of screens and keys. */
export class Editor {
  #cells: EditorCell[] = [];
  #cursor = 0;
  #killed: EditorCell[] = [];
  #pastes = 0;

  /** The whole text, pastes included. */
  get text(): string {
    return this.#cells.map((cell) => (typeof cell === "string" ? cell : cell.text)).join("");
  }
  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }
  /** As `text.startsWith("/")`, which would put the whole text together for every key. */
  get startsWithSlash(): boolean {
    return this.#textOf(0, 1).startsWith("/");
  }
  /** The text as the editor shows it: long pastes as their label. */
  get shown(): string {
    return this.#cells.map((cell) => (typeof cell === "string" ? cell : cell.label)).join("");
  }
  /** The text before the cursor, for completion. */
  get before(): string {
    return this.#textOf(0, this.#cursor);
  }
  /** The word at the end of the text if it names a file: `@pack`, or `@"my f`; absent otherwise. */
  get mention(): string | undefined {
    if (!this.isAtEnd) return undefined;
    const start = Math.max(0, this.#cursor - longestMention);
    return /(?:^|\s)(@(?:"[^"\n]*|[^\s"]*))$/.exec(this.#textOf(start, this.#cursor))?.[1];
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
    this.#cells = [];
    this.#cursor = 0;
    this.#pastes = 0;
    this.insert(text);
  }

  clear(): void {
    this.set("");
  }

  insert(text: string): void {
    if (text.length > longText) {
      this.#insertLabelled(text);
      return;
    }
    // A combining mark may join the character before it, so split that one again too.
    const start = this.#cursor - (typeof this.#cells[this.#cursor - 1] === "string" ? 1 : 0);
    const joined = this.#textOf(start, this.#cursor) + text;
    const cells = graphemesOf(joined);
    this.#replace(start, this.#cursor, cells);
  }

  /** One insertion, newlines included. */
  paste(text: string): void {
    if (linesIn(text) > longPaste) this.#insertLabelled(text);
    else this.insert(text);
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
  /** At the end of a line it joins the next one; what was cut before stays to be put back. */
  killToEnd(): void {
    const end = this.#endOfLine(this.#cursor);
    if (end === this.#cursor) this.delete();
    else this.#kill(this.#cursor, end);
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
    this.#replace(this.#cursor, this.#cursor, this.#killed);
  }

  /** A backslash before the cursor asks for a new line instead of sending. */
  takeBackslash(): boolean {
    if (this.#cells[this.#cursor - 1] !== "\\") return false;
    this.backspace();
    return true;
  }

  /** Rows of at most `width` columns, the prompt before the first; a window of `height` around the cursor. */
  layout(prompt: string, width: number, height: number, widths: Widths): Region {
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
  #insertLabelled(text: string): void {
    this.#pastes++;
    const lines = linesIn(text);
    const [count, unit] = lines > longPaste ? [lines, "lines"] : [text.length, "characters"];
    const size = `${count.toLocaleString("en-US")} ${unit}`;
    this.#replace(this.#cursor, this.#cursor, [
      { text, label: `[paste ${this.#pastes} · ${size}]` },
    ]);
  }
  #replace(start: number, end: number, cells: readonly EditorCell[]): void {
    this.#cells.splice(start, end - start, ...cells);
    this.#cursor = start + cells.length;
  }
  #remove(start: number, end: number): void {
    this.#cells.splice(start, end - start);
    this.#cursor = Math.min(start, this.#cells.length);
  }
  #kill(start: number, end: number): void {
    const cut = this.#cells.slice(start, end);
    if (cut.length === 0) return;
    this.#killed = cut;
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

/** A newline at the end ends the last line, it does not begin another. */
const linesIn = (text: string): number => text.replace(/\n$/, "").split("\n").length;

/** What was pasted may hold control characters; the editor shows them as signs. */
const visible = (cell: string): string => {
  if (cell === "\t") return "    ";
  const code = cell.charCodeAt(0);
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  return code === 0x7f || (code >= 0x80 && code < 0xa0) ? "?" : cell;
};

/** Keys that only change the text or move in it. */
interface Editing {
  readonly keys: readonly string[];
  readonly help: string;
  readonly run: (editor: Editor) => void;
}

/** The keys that edit the line, and what each does. */
export const editing: readonly Editing[] = [
  { keys: ["left", "ctrl-b"], help: "back one character", run: (editor) => editor.left() },
  { keys: ["right", "ctrl-f"], help: "forward one character", run: (editor) => editor.right() },
  {
    keys: ["alt-b", "ctrl-left", "alt-left"],
    help: "back one word",
    run: (editor) => editor.wordLeft(),
  },
  {
    keys: ["alt-f", "ctrl-right", "alt-right"],
    help: "forward one word",
    run: (editor) => editor.wordRight(),
  },
  { keys: ["home", "ctrl-a"], help: "start of the line", run: (editor) => editor.lineStart() },
  { keys: ["end", "ctrl-e"], help: "end of the line", run: (editor) => editor.lineEnd() },
  {
    keys: ["backspace", "ctrl-h"],
    help: "delete the character before the cursor",
    run: (editor) => editor.backspace(),
  },
  {
    keys: ["delete"],
    help: "delete the character after the cursor",
    run: (editor) => editor.delete(),
  },
  {
    keys: ["ctrl-w", "alt-backspace"],
    help: "cut the word before the cursor",
    run: (editor) => editor.killWord(),
  },
  {
    keys: ["alt-d"],
    help: "cut the word after the cursor",
    run: (editor) => editor.killWordRight(),
  },
  { keys: ["ctrl-u"], help: "cut to the start of the line", run: (editor) => editor.killToStart() },
  { keys: ["ctrl-k"], help: "cut to the end of the line", run: (editor) => editor.killToEnd() },
  { keys: ["ctrl-y"], help: "put back what was cut", run: (editor) => editor.yank() },
  {
    keys: ["ctrl-j", "alt-return", "alt-enter"],
    help: "new line",
    run: (editor) => editor.insert("\n"),
  },
];

export const editorKeys: ReadonlyMap<string, (editor: Editor) => void> = new Map(
  editing.flatMap(({ keys, run }) => keys.map((key) => [key, run] as const)),
);
