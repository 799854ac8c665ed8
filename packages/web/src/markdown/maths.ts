import type { TokenizerExtension } from "marked";

const signs: readonly (readonly [open: string, close: string])[] = [
  ["\\(", "\\)"],
  ["\\[", "\\]"],
  ["$$", "$$"],
];

/** The formula that a text begins with. */
function readSigned(text: string): string | undefined {
  for (const [open, close] of signs) {
    if (!text.startsWith(open)) continue;
    const end = text.indexOf(close, open.length);
    const inner = end === -1 ? "" : text.slice(open.length, end);
    if (inner.trim() !== "") return text.slice(0, end + close.length);
  }
  return undefined;
}

/** Single dollars mark maths only when they cannot be prices: no blank just inside them, no word right after. */
const dollars = /^\$(?![\s$])(?:[^$\\\n`]|\\[^\n]){1,400}(?<!\s)\$(?![\w$])/;

const readInline = (text: string): string | undefined =>
  readSigned(text) ?? dollars.exec(text)?.[0];

/** A formula of its own lines; inside it a line may begin with what would begin a list elsewhere. */
function readBlock(text: string): string | undefined {
  const [indent = ""] = /^ {0,3}/.exec(text) ?? [];
  const formula = readSigned(text.slice(indent.length));
  if (formula === undefined || formula.startsWith("\\(")) return undefined;
  const whole = indent + formula;
  return /^[ \t]*(?:\n|$)/.test(text.slice(whole.length)) ? whole : undefined;
}

const extension = (
  level: TokenizerExtension["level"],
  begins: RegExp,
  read: (text: string) => string | undefined,
): TokenizerExtension => ({
  name: `maths-${level}`,
  level,
  start: (text) => {
    const at = text.search(begins);
    return at === -1 ? undefined : at;
  },
  tokenizer: (text) => {
    const raw = read(text);
    return raw === undefined ? undefined : { type: `maths-${level}`, raw, text: raw.trim() };
  },
});

/** Formulas are kept as they were written: TeX is not read here, so no letter of it may be lost. */
export const mathsExtensions: readonly TokenizerExtension[] = [
  extension("block", /^ {0,3}(?:\\\[|\$\$)/m, readBlock),
  extension("inline", /\\[([]|\$/, readInline),
];
