import { hangingOf, joinCopied, splitCopied, createWidths } from "../repl/rows.ts";
import type { Io } from "./io.ts";

/** Prints text for people on stderr; on a terminal its lines break between words. */
export const say = ({ err, terminal, columns }: Io, text: string): void =>
  err(terminal.stderr ? folded(text, columns) : text);

/** The same on stdout. */
export const print = ({ out, terminal, columns }: Io, text: string): Promise<void> =>
  out(terminal.stdout ? folded(text, columns) : text);

const folded = (text: string, columns = Infinity): string =>
  text
    .split("\n")
    .flatMap((line) => fold(line, columns))
    .join("\n");

/**
 * Breaks a line between words. Further rows are indented to the text of their line, after its sign
 * or name. A word or command wider than a row stays whole, so that people can copy it.
 */
export function fold(line: string, width: number): readonly string[] {
  const { of: columnsOf } = createWidths();
  if (columnsOf(line) <= width) return [line];
  const hanging = " ".repeat(hangingOf(line, width, line.startsWith(" ") ? 2 : 4));
  const rows: string[] = [];
  const start = /^ */.exec(line)?.[0] ?? "";
  const text = joinCopied(line.slice(start.length));
  let row = start;
  let isFresh = true;
  for (const [, gap = "", word = ""] of text.matchAll(/( *)([^ ]+)/g)) {
    if (!isFresh && columnsOf(row + gap + word) > width) {
      rows.push(row);
      row = hanging + word;
    } else row += gap + word;
    isFresh = false;
  }
  return [...rows, row].map(splitCopied);
}
