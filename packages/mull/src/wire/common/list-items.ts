import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";

/** Whether a schema is of a list and does not say of what, e.g. `{ type: "array" }`. */
export const lacksItems = ({ type, items, prefixItems }: JsonObject): boolean =>
  items === undefined && prefixItems === undefined && [type].flat().includes("array");

const ofNames = ["properties", "$defs", "definitions"];
const ofSchemas = ["items", "additionalProperties", "anyOf", "oneOf", "allOf"];

/**
 * The schema with `items: {}` where a list says nothing of its items. Other services take such a
 * list; OpenAI refuses it, and with it the whole request.
 */
export function withItems(schema: JsonObject): JsonObject {
  let filled = lacksItems(schema) ? { ...schema, items: {} } : schema;
  const put = (key: string, inner: JsonValue | undefined): void => {
    if (inner !== schema[key]) filled = { ...filled, [key]: inner };
  };
  for (const key of ofSchemas) put(key, inSchema(schema[key]));
  for (const key of ofNames) {
    const named = schema[key];
    if (!isJsonObject(named)) continue;
    const entries = Object.entries(named).map(([name, inner]) => [name, inSchema(inner)] as const);
    if (entries.some(([name, inner]) => inner !== named[name]))
      put(key, Object.fromEntries(entries));
  }
  return filled;
}

function inSchema(value: JsonValue | undefined): JsonValue | undefined {
  if (isJsonObject(value)) return withItems(value);
  if (!Array.isArray(value)) return value;
  const forms = (value as readonly JsonValue[]).map((form) =>
    isJsonObject(form) ? withItems(form) : form,
  );
  return forms.some((form, at) => form !== value[at]) ? forms : value;
}
