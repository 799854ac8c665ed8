import type { JsonValue } from "mull";
import { isJsonObject } from "mull/wire";

import { numberPattern, readNumber, writeNumber } from "./numbers.ts";

const parse = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

/** Field names under which clients wrap the output of a tool, most of all Google's. */
const wrappers: readonly (readonly string[])[] = [["name", "content"], ["output"], ["result"]];

const unwrap = (value: JsonValue | undefined): JsonValue | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value).join();
  const wrapper = wrappers.find((known) => known.join() === names);
  return wrapper === undefined ? value : (Object.values(value).at(-1) ?? null);
};

const flatten = (value: JsonValue, depth = 0): string => {
  if (value === null || typeof value !== "object") return String(value);
  if (depth > 3) return "…";
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[])
      .slice(0, 5)
      .map((item) => flatten(item, depth + 1))
      .join("; ");
  }
  return Object.entries(value)
    .map(([key, item]) => `${key.replaceAll("_", " ")} ${flatten(item ?? null, depth + 1)}`)
    .join(", ");
};

/** What a search found: a line each, with a link a reader can follow, and who searched. */
export interface Hits {
  readonly titles: readonly string[];
  readonly lines: readonly string[];
  readonly source?: string;
}

export const hitsIn = (output: string): Hits | undefined => {
  const value = unwrap(parse(output));
  const { results = value, source } = isJsonObject(value) ? value : {};
  if (!Array.isArray(results)) return undefined;
  const given = (results as readonly JsonValue[]).slice(0, 5);
  const hits = given.flatMap((hit) => {
    const { title, url, text = "" } = isJsonObject(hit) ? hit : {};
    return typeof title === "string" && typeof url === "string" && typeof text === "string"
      ? [{ title, line: `- [${title}](${url}): ${text}` }]
      : [];
  });
  if (hits.length === 0 || hits.length < given.length) return undefined;
  return {
    titles: hits.map(({ title }) => title),
    lines: hits.map(({ line }) => line),
    ...(typeof source === "string" && { source }),
  };
};

/** What a calculator worked out, if it says of what. */
export const sumIn = (output: string): string | undefined => {
  const value = unwrap(parse(output));
  const { expression, result } = isJsonObject(value) ? value : {};
  return typeof expression === "string" && typeof result === "number"
    ? `${expression} = **${writeNumber(result)}**.`
    : undefined;
};

/** The output of a tool in a sentence. */
export const sayOutput = (output: string): string => {
  const value = unwrap(parse(output));
  const said = value === undefined ? output.trim() : flatten(value);
  return said.length > 600 ? `${said.slice(0, 600)}…` : said;
};

const numberUnder = (value: JsonValue, about: RegExp, depth = 0): number | undefined => {
  if (value === null || typeof value !== "object" || depth > 4) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "number" && about.test(key)) return item;
    const inner = numberUnder(item ?? null, about, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
};

/** The number an output is about: the field that fits, else the first number in it. */
export const numberIn = (output: string, about: RegExp): number | undefined => {
  const value = parse(output);
  if (typeof value === "number") return value;
  const named = value === undefined ? undefined : numberUnder(value, about);
  if (named !== undefined) return named;
  const first = new RegExp(`-?(?:${numberPattern})`).exec(output);
  return first === null ? undefined : readNumber(first[0]);
};
