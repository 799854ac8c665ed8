import { Marked, type Token } from "marked";
import { mathsExtensions } from "./maths.ts";

const reader = new Marked({ extensions: [...mathsExtensions] });

/** Longest piece of prose that is read as Markdown; a lexer may need time by the square of it. */
const longestProse = 6000;
const longestTable = 32_000;

const tableStart = /^[^\n]{0,2000}\n[ \t]*\|?[ \t]*:?-+[-:| \t]*\n/;
/** Quotes and lists inside each other, deeper than anybody writes. */
const tooDeep = /^(?:[ \t]{25,}|(?:[ \t]*(?:>|[-*+](?=[ \t>])|\d{1,9}[.)])){12})/m;

/** The tokens of a piece of prose; `undefined` where it is shown as it came. */
export function lexProse(text: string): readonly Token[] | undefined {
  const limit = tableStart.test(text) ? longestTable : longestProse;
  if (text.length > limit || tooDeep.test(text)) return undefined;
  return reader.lexer(text);
}
