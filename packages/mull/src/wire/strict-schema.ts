import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/** OpenAI promises a schema only where every object is closed and all of it is required; others it refuses. */
export function isStrict(schema: JsonValue | undefined): boolean {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).every(isStrict);
  if (!isJsonObject(schema)) return true;
  const { properties, required, ...rest } = schema;
  const fields = Object(properties) as JsonObject;
  const isObject = properties ?? [rest["type"]].flat().includes("object");
  return (
    !(isObject && rest["additionalProperties"] !== false) &&
    Object.keys(fields).every((name) => [required].flat().includes(name)) &&
    [...Object.values(fields), ...Object.values(rest)].every(isStrict)
  );
}
