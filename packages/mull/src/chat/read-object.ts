import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { OutputWish } from "../types/request.ts";
import { isStandardSchema, type StandardSchema } from "../types/standard-schema.ts";
import { tryParse, endOfBrackets } from "../wire/common/json-reading.ts";
import { limits } from "../wire/common/limits.ts";
import { isTooDeep } from "../wire/common/tool-input.ts";
import { findFaults, listOf, resolveRef } from "./json-schema.ts";
import { outputSchema } from "./output-schema.ts";

/** The object an answer holds, or what is wrong with it. */
export type ReadObject = { readonly value: unknown } | { readonly faults: readonly string[] };

/** Reads the object that was asked for: JSON alone, in a fence, or with words around it. */
export async function readObject(text: string, output: OutputWish): Promise<ReadObject> {
  const schema = outputSchema(output);
  let first: ReadObject | undefined;
  for (const found of findJson(text)) {
    const read: ReadObject = isTooDeep({ found }, limits.jsonDepth)
      ? { faults: [`the JSON is nested deeper than ${limits.jsonDepth} levels`] }
      : await checkObject(found, output, schema);
    if ("value" in read) return read;
    first ??= read;
  }
  return first ?? { faults: ["the answer holds no JSON"] };
}

async function checkObject(
  found: JsonValue,
  { schema: wish }: OutputWish,
  schema: JsonObject,
): Promise<ReadObject> {
  const value = withoutNulls(found, schema, schema);
  if (isStandardSchema(wish)) return checkStandard(value, wish, "the answer");
  const faults = findFaults(value, schema, "the answer");
  return faults.length === 0 ? { value } : { faults };
}

/** Holds a value against a Standard Schema. */
export async function checkStandard(
  value: JsonValue,
  schema: StandardSchema,
  whole: string,
): Promise<{ readonly value: unknown } | { readonly faults: readonly string[] }> {
  const result = await schema["~standard"].validate(structuredClone(value));
  if (result.issues === undefined) return { value: result.value };
  return {
    faults: result.issues.map(
      (issue) => `${(issue.path ?? []).map(pathKey).join(".") || whole}: ${issue.message}`,
    ),
  };
}

const pathKey = (key: unknown): string =>
  String(typeof key === "object" && key !== null && "key" in key ? key.key : key);

/**
 * A field that may be absent and may not be null was sent as one that may be null, where a service
 * wants every field required: null stands for absent.
 */
function withoutNulls(
  value: JsonValue,
  schema: JsonValue | undefined,
  root: JsonObject,
): JsonValue {
  if (!isJsonObject(schema) || typeof value !== "object" || value === null) return value;
  if (schema["$ref"] !== undefined)
    return withoutNulls(value, resolveRef(schema["$ref"], root), root);
  const forms = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  for (const form of forms) {
    const bare = withoutNulls(value, form, root);
    if (isJsonObject(form) && findFaults(bare, form, "", root).length === 0) return bare;
  }
  if (Array.isArray(value))
    return value.map((item: JsonValue) => withoutNulls(item, schema["items"], root));
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = listOf(schema["required"]);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (field === undefined || inner === undefined) return [[name, field]];
      const isAbsent =
        field === null &&
        !required.includes(name) &&
        isJsonObject(inner) &&
        findFaults(null, inner, "", root).length > 0;
      return isAbsent ? [] : [[name, withoutNulls(field, inner, root)]];
    }),
  );
}

/** Attempts at JSON in one answer: a text of nothing but brackets would take for ever. */
const mostTries = 50;

/** The JSON values of a text, the likeliest first. */
function* findJson(text: string): Generator<JsonValue> {
  const whole = parse(text.trim());
  if (whole !== undefined) {
    yield whole;
    return;
  }
  for (const [, inside = ""] of text.matchAll(/```[\w-]*\s*\n([\s\S]*?)\n?\s*```/g)) {
    const fenced = parse(inside);
    if (fenced !== undefined) yield fenced;
  }
  let from = 0;
  for (let tries = 0; tries < mostTries; tries++) {
    const start = indexOfOpening(text, from);
    if (start < 0) return;
    const end = endOfBrackets(text, start);
    const value = end === 0 ? undefined : parse(text.slice(start, end));
    if (value !== undefined) yield value;
    from = value === undefined ? start + 1 : end;
  }
}

const parse = (text: string): JsonValue | undefined => tryParse(text) as JsonValue | undefined;

function indexOfOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}
