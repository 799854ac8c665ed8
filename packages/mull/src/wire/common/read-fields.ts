import type { JsonObject, JsonValue } from "../../types/json.ts";
import type { WireRequest } from "../../types/request.ts";

type FieldsRead = Partial<WireRequest>;

/** Reads a field of a body; `undefined` if mull has no place for what stands there. */
export type FieldReader = readonly [
  name: string,
  read: (value: JsonValue | undefined) => FieldsRead | undefined,
];

type NumberName = "maxOutputTokens" | "temperature" | "topP" | "topK";

export const numberIn = (name: string, as: NumberName): FieldReader => [
  name,
  (value) => (typeof value === "number" ? { [as]: value } : undefined),
];

export const parallelIn = (name: string): FieldReader => [
  name,
  (value) => (typeof value === "boolean" ? { parallelToolCalls: value } : undefined),
];

export const userIn = (name: string): FieldReader => [
  name,
  (value) => (typeof value === "string" ? { userId: value } : undefined),
];

/** One stop sequence may be given without a list. */
export const stopsIn = (name: string): FieldReader => [
  name,
  (value) => {
    const stops: unknown = typeof value === "string" ? [value] : value;
    return Array.isArray(stops) && stops.every((stop) => typeof stop === "string")
      ? { stopSequences: stops }
      : undefined;
  },
];

/**
 * Reads a body with one reader a field; if two set the same field, the first wins. `rest` is everything else:
 * it is sent back unchanged.
 */
export function readFields(
  body: JsonObject,
  readers: readonly FieldReader[],
): { readonly fields: FieldsRead; readonly rest: JsonObject } {
  const fields: FieldsRead = {};
  const taken = new Set<string>();
  for (const [name, read] of readers) {
    const found = body[name] === undefined ? undefined : read(body[name]);
    if (found === undefined || Object.keys(found).some((key) => key in fields)) continue;
    Object.assign(fields, found);
    taken.add(name);
  }
  const rest = Object.entries(body).filter(([name]) => !taken.has(name));
  return { fields, rest: Object.fromEntries(rest) };
}
