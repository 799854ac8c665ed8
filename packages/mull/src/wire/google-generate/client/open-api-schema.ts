import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";

/** JSON Schema of an OpenAPI 3.0 schema as Google spells it: upper-case types, `nullable`. */
export function jsonSchemaOf(schema: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { nullable, ...rest } = schema;
  const { type } = rest;
  const fields = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, readKeyword(key, value)]),
  );
  if (typeof type !== "string") return fields;
  const name = type.toLowerCase();
  return { ...fields, type: nullable === true ? [name, "null"] : name };
}

function readKeyword(key: string, value: JsonValue | undefined): JsonValue | undefined {
  if (key === "items") return jsonSchemaOf(value) ?? value;
  if (key === "anyOf" && Array.isArray(value)) {
    return value.map((item: JsonValue) => jsonSchemaOf(item) ?? item);
  }
  if (key !== "properties" || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, jsonSchemaOf(item) ?? item]),
  );
}
