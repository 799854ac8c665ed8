import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import { withSpokenLimits } from "./spoken-limits.ts";

/** Values to fill a schema with, taken from the front. */
export interface Hints {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** For properties that are named after a file: `file_path`. */
  readonly files?: readonly string[];
}

interface Filling {
  readonly root: JsonObject;
  readonly texts: string[];
  readonly numbers: number[];
  readonly files: string[];
}

const deepest = 12;
/** From here on lists are empty and what may be null is null: schemas can hold themselves. */
const deep = 6;

const formats = new Map<string, string>([
  ["date", "2026-11-15"],
  ["date-time", "2026-11-15T12:00:00Z"],
  ["time", "12:00:00Z"],
  ["email", "someone@example.com"],
  ["uri", "https://example.com/"],
  ["url", "https://example.com/"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["hostname", "example.com"],
  ["duration", "PT1H"],
]);

const resolve = (schema: JsonObject, root: JsonObject): JsonObject => {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  let found: JsonValue | undefined = root;
  for (const key of reference.slice(1).split("/").filter(Boolean)) {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isJsonObject(found) ? found[name] : undefined;
  }
  return isJsonObject(found) ? found : {};
};

const typeOf = (schema: JsonObject): string => {
  const type = Array.isArray(schema["type"])
    ? (schema["type"] as readonly JsonValue[]).find((name) => name !== "null")
    : schema["type"];
  if (typeof type === "string") return type.toLowerCase();
  if (isJsonObject(schema["properties"])) return "object";
  return schema["items"] === undefined && schema["prefixItems"] === undefined ? "string" : "array";
};

/** Google writes 64-bit integers as strings. */
const numberIn = (schema: JsonObject, name: string, otherwise: number): number => {
  const value = schema[name];
  if (typeof value === "string" && /^\d+$/.test(value)) return Number(value);
  return typeof value === "number" ? value : otherwise;
};

/** The distance that a number keeps from an exclusive bound. */
const margin = (whole: boolean): number => (whole ? 1 : 0.5);

const numberFor = (schema: JsonObject, filling: Filling, whole: boolean): number => {
  const least = Math.max(
    numberIn(schema, "minimum", -Infinity),
    numberIn(schema, "exclusiveMinimum", -Infinity) + margin(whole),
  );
  const most = Math.min(
    numberIn(schema, "maximum", Infinity),
    numberIn(schema, "exclusiveMaximum", Infinity) - margin(whole),
  );
  const step = numberIn(schema, "multipleOf", whole ? 1 : 0);
  const hint = filling.numbers.shift() ?? Math.max(least, Math.min(1, most));
  const inside = Math.min(Math.max(hint, least), most);
  if (step === 0) return inside;
  const above = Math.ceil(inside / step) * step;
  const rounded = Math.round(inside / step) * step;
  return rounded >= least && rounded <= most ? rounded : above;
};

const textFor = (schema: JsonObject, filling: Filling): string => {
  const format = formats.get(typeof schema["format"] === "string" ? schema["format"] : "");
  const text = format ?? filling.texts.shift() ?? "simulated";
  const most = numberIn(schema, "maxLength", Infinity);
  return text.padEnd(numberIn(schema, "minLength", 0), ".").slice(0, most);
};

/** Whether a schema says that it is of a text. */
export const isText = ({ type }: JsonObject): boolean =>
  typeof type === "string" && type.toLowerCase() === "string";

/** Google's schemas may say which property comes first. */
const orderOf = ({ propertyOrdering: order, property_ordering: other }: JsonObject): string[] =>
  [order ?? other].flat().filter((name): name is string => typeof name === "string");

const objectFor = (schema: JsonObject, filling: Filling, depth: number): JsonObject => {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const entries: [string, JsonValue][] = [];
  for (const name of new Set([...orderOf(schema), ...Object.keys(properties)])) {
    const property = properties[name];
    const wanted = required.has(name) || required.size === 0;
    if (!wanted || !isJsonObject(property)) continue;
    const file = isText(property) && /path|file/i.test(name) ? filling.files.shift() : undefined;
    entries.push([name, file ?? fill(property, filling, depth + 1)]);
  }
  return Object.fromEntries(entries);
};

const longest = 50;

/** A tuple lists the schemas of its items; older drafts of JSON Schema list them under `items`. */
const tupleOf = ({ prefixItems, items }: JsonObject): readonly JsonValue[] =>
  [prefixItems, items].find((list): list is readonly JsonValue[] => Array.isArray(list)) ?? [];

const arrayFor = (schema: JsonObject, filling: Filling, depth: number): readonly JsonValue[] => {
  const first = tupleOf(schema);
  const items = isJsonObject(schema["items"]) ? schema["items"] : {};
  const least = numberIn(schema, "minItems", first.length === 0 && depth < deep ? 1 : 0);
  const length = Math.min(Math.max(least, first.length), longest);
  return Array.from({ length }, (_, index) => {
    const item = first[index];
    return fill(isJsonObject(item) ? item : items, filling, depth + 1);
  });
};

const fill = (given: JsonObject, filling: Filling, depth: number): JsonValue => {
  if (depth > deepest) return null;
  const schema = withSpokenLimits(resolve(given, filling.root));
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return (schema["enum"] as readonly JsonValue[])[0] ?? null;
  for (const key of ["anyOf", "oneOf"]) {
    const options = schema[key];
    if (Array.isArray(options)) {
      const choices = (options as readonly JsonValue[]).filter(isJsonObject);
      if (depth >= deep && choices.some(({ type }) => type === "null")) return null;
      const option = choices.find(({ type }) => type !== "null");
      return option === undefined ? null : fill(option, filling, depth + 1);
    }
  }
  if (Array.isArray(schema["allOf"])) {
    return (schema["allOf"] as readonly JsonValue[]).reduce<JsonValue>((merged, part) => {
      const value = isJsonObject(part) ? fill(part, filling, depth + 1) : null;
      return isJsonObject(merged) && isJsonObject(value) ? { ...merged, ...value } : value;
    }, {});
  }
  return byType(schema, filling, depth);
};

const byType = (schema: JsonObject, filling: Filling, depth: number): JsonValue => {
  switch (typeOf(schema)) {
    case "object":
      return objectFor(schema, filling, depth);
    case "array":
      return arrayFor(schema, filling, depth);
    case "number":
      return numberFor(schema, filling, false);
    case "integer":
      return numberFor(schema, filling, true);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return textFor(schema, filling);
  }
};

/** A value that fits a JSON Schema, made from the hints while there are any. */
export const fillSchema = (schema: JsonObject, hints: Hints): JsonValue =>
  fill(
    schema,
    {
      root: schema,
      texts: [...hints.texts],
      numbers: [...hints.numbers],
      files: [...(hints.files ?? [])],
    },
    0,
  );
