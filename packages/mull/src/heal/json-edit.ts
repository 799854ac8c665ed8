import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/** A copy without these fields; the same object where it has none of them. */
export function without(object: JsonObject, ...fields: readonly string[]): JsonObject {
  if (!fields.some((field) => Object.hasOwn(object, field))) return object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
}

/** A copy with one field changed; the same object where the value stays the same. */
export function changed(
  object: JsonObject,
  field: string,
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  const value = change(object[field]);
  return value === object[field] ? object : { ...object, [field]: value };
}

/** Maps the objects of a list. Objects for which `change` gives `undefined` are left out. */
export function mapObjects(
  list: JsonValue | undefined,
  change: (item: JsonObject, index: number) => JsonValue | undefined,
): JsonValue | undefined {
  if (!Array.isArray(list)) return list;
  let touched = false;
  const mapped: JsonValue[] = [];
  (list as readonly JsonValue[]).forEach((item, index) => {
    const next = isJsonObject(item) ? change(item, index) : item;
    if (next !== item) touched = true;
    if (next !== undefined) mapped.push(next);
  });
  return touched ? mapped : list;
}

/** The words in single quotes or after a colon, in the order the service lists them. */
export const quotedWords = (text: string): readonly string[] =>
  [...text.matchAll(/'([^']+)'/g)].map((match) => match[1]!);

/** The allowed word nearest to the refused one, at or below it; the lowest where none is. */
export function nearestWord(
  refused: string,
  allowed: readonly string[],
  order: readonly string[],
): string | undefined {
  const rank = (word: string): number => order.indexOf(word);
  const known = allowed.filter((word) => rank(word) >= 0).toSorted((a, b) => rank(a) - rank(b));
  return known.findLast((word) => rank(word) <= rank(refused)) ?? known[0];
}
