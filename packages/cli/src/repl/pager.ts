import { spawn } from "node:child_process";
import type { Look } from "./look.ts";
import { hangingOf, wrapSpans, type Widths, type WrapOptions } from "./rows.ts";
import type { Overlay } from "./picker.ts";
import type { Terminal } from "./terminal.ts";

const enter = "\u001b[?1049h\u001b[H";
const leave = "\u001b[?1049l";

export interface PagerOptions {
  readonly terminal: Pick<Terminal, "write" | "size">;
  readonly look: Look;
  readonly widths: Widths;
  readonly title: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** A long text on the alternate screen: the scrollback stays as it was. */
export function openPager(options: PagerOptions): Overlay {
  const { terminal, look, widths } = options;
  let top = 0;
  const rowsFor = (columns: number): readonly string[] =>
    options.text
      .split("\n")
      .flatMap((line) => wrapSpans([{ text: line }], widths, wrapFor(line, columns - 1)))
      .map((row) => row.map((span) => span.text).join(""));
  const repaint = (): void => {
    const { columns, rows } = terminal.size();
    const all = rowsFor(columns);
    const page = rows - 2;
    top = Math.max(0, Math.min(top, all.length - page));
    const shown = Array.from({ length: page }, (_, index) => all[top + index] ?? "");
    const place = all.length <= page ? "all" : `${Math.round(((top + page) / all.length) * 100)} %`;
    const keys = look.spell(` ${place} · ↑ ↓ space, q leaves`);
    const titled = look.spell(` ${options.title} ·${keys}`);
    // A second row would scroll the first one away.
    const foot = widths.of(titled) < columns ? titled : keys;
    const lines = [...shown, "", look.paint(foot, "inverse")];
    terminal.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join("\r\n")}`);
  };
  const scroll = (rows: number): void => {
    top += rows;
    repaint();
  };
  const close = (): void => {
    terminal.write(leave);
    options.onClose();
  };
  const page = (): number => terminal.size().rows - 3;
  const actions: ReadonlyMap<string, () => void> = new Map([
    ["up", () => scroll(-1)],
    ["down", () => scroll(1)],
    ["return", () => scroll(1)],
    ["pageup", () => scroll(-page())],
    ["pagedown", () => scroll(page())],
    ["home", () => scroll(-Infinity)],
    ["end", () => scroll(Number.MAX_SAFE_INTEGER)],
    ["k", () => scroll(-1)],
    ["j", () => scroll(1)],
    [" ", () => scroll(page())],
    ["b", () => scroll(-page())],
    ["g", () => scroll(-Number.MAX_SAFE_INTEGER)],
    ["G", () => scroll(Number.MAX_SAFE_INTEGER)],
    ["q", close],
    ["escape", close],
    ["ctrl-c", close],
    ["ctrl-t", close],
  ]);
  terminal.write(enter);
  repaint();
  return {
    take: (stroke) => actions.get(stroke.type === "key" ? stroke.name : stroke.text)?.(),
    repaint,
  };
}

/** What goes on of a row of a list stands under its text; prose begins at the edge. */
function wrapFor(line: string, width: number): WrapOptions {
  const indent = line.startsWith("  ") ? hangingOf(line, width) : 0;
  return {
    width,
    ...(indent > 0 && indent < width / 2 && { hanging: { text: " ".repeat(indent) } }),
  };
}

/** The reader's own pager, fed through its input. Resolves to false when it cannot be run. */
export const runPager = (command: string, text: string): Promise<boolean> =>
  new Promise((finish) => {
    const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"] });
    child.on("error", () => finish(false));
    child.on("close", (code) => finish(code !== 127));
    // A pager that is left early does not read to the end.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
