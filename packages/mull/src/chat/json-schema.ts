import { invalidArgument, wrongArgument } from "../types/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { StandardSchema } from "../types/standard-schema.ts";
import { asList } from "../wire/common/json-reading.ts";

/** A schema, or `true` and `false` for anything and nothing. */
type Schema = JsonValue | undefined;

/**
 * What is wrong with a value, in words a model can act on. Schemas of tools may hold keywords that it does
 * not know; those are left to the tool. `format` is a remark, as JSON Schema has it.
 */
export const findFaults = (
  value: JsonValue,
  schema: JsonObject,
  path = "input",
  root: JsonObject = schema,
): readonly string[] => new SchemaCheck(root).faults(value, schema, path);

/** Keywords that say nothing about a value. */
const remarks =
  "$schema $id $comment $anchor $defs definitions title description default examples deprecated readOnly writeOnly format contentEncoding contentMediaType";
const checked =
  "type enum const anyOf oneOf allOf $ref properties required additionalProperties minProperties maxProperties items prefixItems minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern";
const known: ReadonlySet<string> = new Set(`${remarks} ${checked}`.split(" "));

/** Refuses a schema with a keyword that mull cannot check. */
export function refuseUncheckable(schema: Schema, field: string, root: Schema = schema): void {
  if (!isJsonObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    if (!known.has(key) && !key.startsWith("x-")) {
      const allowed = `keywords that mull can check (${checked}), or a Standard Schema, which checks itself`;
      throw invalidArgument(`${field}.${key}`, value, allowed);
    }
  }
  const { $ref } = schema;
  if ($ref !== undefined && resolveRef($ref, root) === undefined)
    throw invalidArgument(`${field}.$ref`, $ref, "the path of a schema inside this one");
  for (const [path, inner] of schemasIn(schema)) refuseUncheckable(inner, `${field}.${path}`, root);
}

/** The schemas right inside a schema, each with the way to it. */
export const schemasIn = (schema: JsonObject): readonly (readonly [string, Schema])[] => [
  ...["properties", "$defs", "definitions"].flatMap((key) =>
    isJsonObject(schema[key])
      ? Object.entries(schema[key]).map(([name, inner]) => [`${key}.${name}`, inner] as const)
      : [],
  ),
  ...["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((key) =>
    asList(schema[key]).map((inner, at) => [`${key}[${at}]`, inner] as const),
  ),
  ...["items", "additionalProperties"].map((key) => [key, schema[key]] as const),
];

/** The schema that a `$ref` such as `#/$defs/Node` leads to. */
export function resolveRef(ref: JsonValue, root: Schema): Schema {
  if (typeof ref !== "string" || !/^#(?:\/|$)/.test(ref)) return undefined;
  let found: Schema = root;
  for (const step of ref.split("/").slice(1)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A name that leads to itself is followed this often, and then taken for anything. */
const longestRefs = 64;

class SchemaCheck {
  readonly #root: JsonObject;
  #refs = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  faults(value: JsonValue, schema: Schema, path: string): readonly string[] {
    if (schema === false) return [`${path} is not allowed`];
    if (!isJsonObject(schema)) return [];
    const { type, $ref } = schema;
    const types = Array.isArray(type)
      ? (type as readonly JsonValue[])
      : type === undefined
        ? []
        : [type];
    if (types.length > 0 && !types.some((name) => isOfType(value, name)))
      return [`${path} must be ${types.map(String).join(" or ")}, not ${typeOf(value)}`];
    return [
      ...($ref === undefined ? [] : this.#atRef(value, $ref, path)),
      ...this.#inForms(value, schema, path),
      ...checkValue(value, schema, path),
      ...this.#inFields(value, schema, path),
      ...this.#inItems(value, schema, path),
    ];
  }

  #fits(value: JsonValue, schema: Schema, path: string): boolean {
    return this.faults(value, schema, path).length === 0;
  }

  #atRef(value: JsonValue, ref: JsonValue, path: string): readonly string[] {
    if (this.#refs >= longestRefs) return [];
    this.#refs++;
    const faults = this.faults(value, resolveRef(ref, this.#root), path);
    this.#refs--;
    return faults;
  }

  #inForms(value: JsonValue, { anyOf, oneOf, allOf }: JsonObject, path: string): readonly string[] {
    const faults = asList(allOf).flatMap((form) => this.faults(value, form, path));
    const isIn = (forms: readonly JsonValue[]): number =>
      forms.filter((form) => this.#fits(value, form, path)).length;
    if (Array.isArray(anyOf) && isIn(anyOf) === 0)
      return [...faults, `${path} fits none of the allowed forms`];
    if (!Array.isArray(oneOf)) return faults;
    const count = isIn(oneOf);
    if (count === 0) return [...faults, `${path} fits none of the allowed forms`];
    return count === 1
      ? faults
      : [...faults, `${path} fits ${count} of the forms, and may fit one`];
  }

  #inFields(value: JsonValue, schema: JsonObject, path: string): readonly string[] {
    if (!isJsonObject(value)) return [];
    const { additionalProperties: others } = schema;
    const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    const missing = asList(schema["required"])
      .filter((name) => typeof name === "string")
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${path}.${name} is required`);
    const faults = Object.entries(value).flatMap(([name, field]) => {
      const place = `${path}.${name}`;
      if (field === undefined) return [];
      if (Object.hasOwn(properties, name)) return this.faults(field, properties[name], place);
      return others === false
        ? [`${place} is not a field of this schema`]
        : this.faults(field, others, place);
    });
    const count = Object.keys(value).length;
    return [...missing, ...checkCount(count, "fields", schema, "Properties", path), ...faults];
  }

  #inItems(value: JsonValue, schema: JsonObject, path: string): readonly string[] {
    if (!Array.isArray(value)) return [];
    const list = value as readonly JsonValue[];
    const first = asList(schema["prefixItems"]);
    const isTwice =
      schema["uniqueItems"] === true &&
      new Set(list.map((item) => JSON.stringify(sorted(item)))).size < list.length;
    return [
      ...checkCount(list.length, "items", schema, "Items", path),
      ...(isTwice ? [`${path} must not contain an item twice`] : []),
      ...list.flatMap((item, at) =>
        this.faults(item, at < first.length ? first[at] : schema["items"], `${path}[${at}]`),
      ),
    ];
  }
}

const typeOf = (value: JsonValue): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

const isOfType = (value: JsonValue, type: JsonValue): boolean =>
  type === "integer" ? Number.isInteger(value) : type === typeOf(value);

function checkValue(value: JsonValue, schema: JsonObject, path: string): readonly string[] {
  const faults: string[] = [];
  const say = (text: string): number => faults.push(`${path} must ${text}`);
  const words = (key: string): string => JSON.stringify(schema[key]);
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((allowed) => isSame(allowed, value)))
    say(`be one of ${words("enum")}`);
  if (schema["const"] !== undefined && !isSame(schema["const"], value)) say(`be ${words("const")}`);
  if (typeof value === "number") {
    const {
      minimum,
      maximum,
      exclusiveMinimum: above,
      exclusiveMaximum: below,
      multipleOf,
    } = schema;
    if (isBelow(value, minimum)) say(`be at least ${words("minimum")}`);
    if (isBelow(maximum, value)) say(`be at most ${words("maximum")}`);
    if (typeof above === "number" && value <= above) say(`be more than ${above}`);
    if (typeof below === "number" && value >= below) say(`be less than ${below}`);
    if (typeof multipleOf === "number" && !isMultiple(value, multipleOf))
      say(`be a multiple of ${multipleOf}`);
  }
  if (typeof value === "string") {
    const { minLength, maxLength, pattern } = schema;
    if (minLength !== undefined || maxLength !== undefined)
      faults.push(...checkCount(Array.from(value).length, "characters", schema, "Length", path));
    if (typeof pattern === "string" && !fitsPattern(value, pattern)) say(`match ${pattern}`);
  }
  return faults;
}

function checkCount(
  count: number,
  what: string,
  schema: JsonObject,
  key: "Length" | "Items" | "Properties",
  path: string,
): readonly string[] {
  const [least, most] = [schema[`min${key}`], schema[`max${key}`]];
  if (isBelow(count, least)) return [`${path} must have at least ${JSON.stringify(least)} ${what}`];
  if (isBelow(most, count)) return [`${path} must have at most ${JSON.stringify(most)} ${what}`];
  return [];
}

/** 0.3 is a multiple of 0.1, although 0.3 / 0.1 is 2.9999999999999996. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

const isSame = (a: JsonValue, b: JsonValue): boolean =>
  a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** Two objects are the same whatever the order of their fields. */
const sorted = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map((item: JsonValue) => sorted(item))
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner ?? null)]),
        )
      : value;

const isBelow = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  typeof a === "number" && typeof b === "number" && a < b;

/** A pattern JavaScript cannot read is the schema's fault, not the input's. */
function fitsPattern(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

/** The JSON Schema of a Standard Schema. `beside` names the option that can give one instead. */
export function jsonSchemaOf(schema: StandardSchema, field: string, beside: string): unknown {
  const { jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined)
    throw wrongArgument(
      `${field}: the schema cannot write itself as JSON Schema. Give one in ${beside}; a valibot schema goes through toStandardJsonSchema of @valibot/to-json-schema.`,
      field,
    );
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    // Schemas of dates, maps and transforms have no JSON Schema: the schema library throws for them.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw wrongArgument(`${field}: the schema cannot be written as JSON Schema: ${why}`, field, {
      fix: `use types that JSON has, or give a JSON Schema in ${beside}`,
    });
  }
}
