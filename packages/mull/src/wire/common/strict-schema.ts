import type { JsonObject, JsonValue } from "../../types/json.ts";

/** Whether OpenAI takes a schema as strict: every object closed, every property required, no `oneOf`. */
export function isStrict(schema: JsonValue | undefined): boolean {
  if (Object(schema) !== schema) return true;
  const { properties, required, oneOf, ...rest } = schema as JsonObject;
  const fields = Object(properties) as JsonObject;
  const isObject = properties ?? [rest["type"]].flat().includes("object");
  return (
    !(oneOf ?? (isObject && rest["additionalProperties"] !== false)) &&
    Object.keys(fields).every((name) => [required].flat().includes(name)) &&
    [...Object.values(fields), ...Object.values(rest)].every(isStrict)
  );
}
