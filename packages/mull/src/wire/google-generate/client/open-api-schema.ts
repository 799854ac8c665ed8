import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";

/** The types in the order of Google's enum: older clients send `6` for an object. */
const numbered = ["", "string", "number", "integer", "boolean", "array", "object", "null"];

/**
 * JSON Schema of an OpenAPI 3.0 schema as Google spells it: upper-case or numbered types,
 * `nullable`, 64-bit numbers as strings, and hints that OpenAI refuses in a strict schema.
 */
export function jsonSchemaOf(schema: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { nullable, propertyOrdering: _order, example: _example, ...rest } = schema;
  const { type } = rest;
  const fields = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, readKeyword(key, value)]),
  );
  const name = typeof type === "string" ? type.toLowerCase() : numbered[Number(type)];
  if (!name) return fields;
  return { ...fields, type: nullable === true ? [name, "null"] : name };
}

function readKeyword(key: string, value: JsonValue | undefined): JsonValue | undefined {
  if (/^(?:min|max)[A-Z]/.test(key) && typeof value === "string") return Number(value);
  if (key === "items") return jsonSchemaOf(value) ?? value;
  if (key === "anyOf" && Array.isArray(value)) {
    return value.map((item: JsonValue) => jsonSchemaOf(item) ?? item);
  }
  if (key !== "properties" || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, jsonSchemaOf(item) ?? item]),
  );
}
