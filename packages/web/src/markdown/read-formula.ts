/** A formula without its signs; `isDisplay`: on lines of its own. */
export interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** More than a page of a book; a longer one is shown as it was written. */
const longest = 4000;

const signs: readonly (readonly [open: string, close: string, isDisplay: boolean])[] = [
  ["\\(", "\\)", false],
  ["\\[", "\\]", true],
  ["$$", "$$", true],
  ["$", "$", false],
];

/** `undefined`: better shown as it was written. */
export function readFormula(written: string): Formula | undefined {
  const text = written.trim();
  if (text.length > longest) return undefined;
  for (const [open, close, isDisplay] of signs) {
    const isSigned = text.startsWith(open) && text.endsWith(close);
    const tex = text.slice(open.length, -close.length).trim();
    if (isSigned && tex.replaceAll("$", "") !== "") return { tex, isDisplay };
  }
  return undefined;
}
