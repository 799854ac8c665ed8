import { tryParse } from "./json-reading.ts";

/**
 * Where a JSON string ends whose first character is at `from`: the index after its closing
 * quote, or 0 where it does not end in `text`. Nothing is parsed or allocated.
 */
export function endOfJsonString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && isEscaped(text, from, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** The value of that string; `undefined` where it has an escape that JSON does not know. */
export function valueOfJsonString(text: string, from: number, end: number): string | undefined {
  const raw = text.slice(from, end - 1);
  return raw.includes("\\") ? (tryParse(text.slice(from - 1, end)) as string | undefined) : raw;
}

/** A quote is escaped when an odd number of backslashes stands before it. */
function isEscaped(text: string, from: number, quote: number): boolean {
  let slashes = 0;
  for (let i = quote - 1; i >= from && text.charCodeAt(i) === 92; i--) slashes++;
  return slashes % 2 === 1;
}

/**
 * Where the object or list ends that begins at `from`: behind its closing bracket, or 0 where it does not
 * end or is nested deeper than `deepest`. Brackets inside strings do not count.
 */
export function endOfBrackets(text: string, from: number, deepest: number = Infinity): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const behind = endOfJsonString(text, at + 1);
      if (behind === 0) return 0;
      at = behind - 1;
    } else if (char === "{" || char === "[") {
      if (++depth > deepest) return 0;
    } else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return 0;
}
