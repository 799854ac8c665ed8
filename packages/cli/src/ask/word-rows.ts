import { graphemesOf, type Widths } from "../repl/rows.ts";

/**
 * Rows of running text, broken between words. Only the unfinished word and the space before it
 * wait.
 */
export interface WordRows {
  /** Takes more text; returns what can be printed now. */
  readonly push: (text: string) => string;
  readonly end: () => string;
}

/** A word wider than a row is cut where the row ends, as text without spaces has to be. */
export function wordRows(width: number, widths: Widths): WordRows {
  let used = 0;
  let space = "";
  let word = "";
  const put = (text: string): string => {
    used += widths.of(text);
    return text;
  };
  const newRow = (): string => {
    used = 0;
    return "\n";
  };
  const putCell = (cell: string): string =>
    (used + widths.of(cell) > width ? newRow() : "") + put(cell);
  const putWord = (): string => {
    if (word === "") return "";
    const [gap, text] = [space, word];
    [space, word] = ["", ""];
    const size = widths.of(text);
    // No gap: this continues a word that was too long to hold back.
    const isOnRow = gap === "" || used === 0 || used + gap.length + size <= width;
    const before = isOnRow ? put(gap) : newRow();
    return before + (used + size <= width ? put(text) : graphemesOf(text).map(putCell).join(""));
  };
  const putLines = (text: string): string => {
    const before = putWord();
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) used = 0;
    space = end > 0 ? text.slice(end) : space + text;
    return before + text.slice(0, end).replaceAll(/[^\n]/g, "");
  };
  return {
    push: (text) => {
      let out = "";
      for (const piece of text.split(/(\s+)/)) {
        if (piece.trim() === "") out += piece === "" ? "" : putLines(piece);
        else word += piece;
        if (widths.of(word) > width) out += putWord();
      }
      return out;
    },
    end: putWord,
  };
}
