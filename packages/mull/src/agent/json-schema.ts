import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/**
 * What is wrong with a tool's input, in words a model can act on. Covers the keywords tool schemas
 * use: type, properties, required, additionalProperties, items, enum, const, anyOf and oneOf,
 * minimum and maximum, lengths, pattern. Others are left to the tool.
 */
export function checkSchema(
  value: JsonValue,
  schema: JsonObject,
  path = "input",
): readonly string[] {
  const { type, anyOf, oneOf } = schema;
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (
    choices?.every((choice) => isJsonObject(choice) && checkSchema(value, choice, path).length > 0)
  ) {
    return [`${path} fits none of the allowed forms`];
  }
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) {
    return [`${path} must be ${types.join(" or ")}, not ${typeOf(value)}`];
  }
  return [
    ...checkValue(value, schema, path),
    ...checkFields(value, schema, path),
    ...checkItems(value, schema, path),
  ];
}

const typeOf = (value: JsonValue): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

const isOfType = (value: JsonValue, type: JsonValue): boolean =>
  type === "integer" ? Number.isInteger(value) : type === typeOf(value);

function checkValue(value: JsonValue, schema: JsonObject, path: string): readonly string[] {
  const faults: string[] = [];
  const say = (text: string): number => faults.push(`${path} must ${text}`);
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((allowed) => isSame(allowed, value))) {
    say(`be one of ${JSON.stringify(schema["enum"])}`);
  }
  if (schema["const"] !== undefined && !isSame(schema["const"], value))
    say(`be ${JSON.stringify(schema["const"])}`);
  if (typeof value === "number") {
    if (isBelow(value, schema["minimum"])) say(`be at least ${JSON.stringify(schema["minimum"])}`);
    if (isBelow(schema["maximum"], value)) say(`be at most ${JSON.stringify(schema["maximum"])}`);
  }
  if (typeof value === "string") {
    if (isBelow(value.length, schema["minLength"]))
      say(`have at least ${JSON.stringify(schema["minLength"])} characters`);
    if (isBelow(schema["maxLength"], value.length))
      say(`have at most ${JSON.stringify(schema["maxLength"])} characters`);
    if (typeof schema["pattern"] === "string" && !fitsPattern(value, schema["pattern"]))
      say(`match ${schema["pattern"]}`);
  }
  return faults;
}

const isSame = (a: JsonValue, b: JsonValue): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

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

function checkFields(value: JsonValue, schema: JsonObject, path: string): readonly string[] {
  if (!isJsonObject(value)) return [];
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"])
    ? (schema["required"] as readonly JsonValue[])
    : [];
  const missing = required
    .filter((name) => typeof name === "string" && !Object.hasOwn(value, name))
    .map((name) => `${path}.${JSON.stringify(name).slice(1, -1)} is required`);
  const faults = Object.entries(value).flatMap(([name, field]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isJsonObject(inner))
      return field === undefined ? [] : checkSchema(field, inner, `${path}.${name}`);
    return schema["additionalProperties"] === false
      ? [`${path}.${name} is not a field of this tool`]
      : [];
  });
  return [...missing, ...faults];
}

function checkItems(value: JsonValue, schema: JsonObject, path: string): readonly string[] {
  const { items } = schema;
  if (!Array.isArray(value) || !isJsonObject(items)) return [];
  return (value as readonly JsonValue[]).flatMap((item, index) =>
    checkSchema(item, items, `${path}[${index}]`),
  );
}
