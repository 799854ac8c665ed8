import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";

/** The value of a JSON text; `undefined` if the text is no JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value if it is a text, else an empty one. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The value if it is an object, else an empty one. */
export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The value if it is a list, else an empty one. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];

/** The objects of a list; the list itself if it holds nothing else. */
export const asObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value.every(isJsonObject) ? value : value.filter(isJsonObject)) : [];

export const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0;

/** A copy without these fields; the object itself when it has none of them. */
export function without(whole: JsonObject, ...fields: readonly string[]): JsonObject {
  if (!fields.some((field) => Object.hasOwn(whole, field))) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !fields.includes(name)));
}

/** More tokens than any answer has: a counter that says more is broken. */
const mostTokens = 1_000_000_000_000;

/** Reads a token count. An impossible one, such as -1000000, 0.5 or 1e300, counts as unknown. */
export const readCount = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens
    ? (value as number)
    : undefined;

/**
 * Where a JSON string ends whose first character is at `from`: the index after its closing
 * quote, or 0 if it does not end in `text`. Nothing is parsed or allocated.
 */
export function endOfJsonString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && isEscaped(text, from, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** The value of that string; `undefined` if it has an escape that JSON does not know. */
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
 * Where the object or list ends that begins at `from`: after its closing bracket, or 0 if it does not
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
