import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";

/** Merges objects into each other; any other value replaces the old one. */
export function mergeFields(body: JsonObject, more: JsonObject | undefined): JsonObject {
  if (more === undefined) return body;
  const merged = Object.entries(more).map(([key, value]): [string, JsonValue | undefined] => {
    const before = Object.hasOwn(body, key) ? body[key] : undefined;
    return [key, isJsonObject(before) && isJsonObject(value) ? mergeFields(before, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}
