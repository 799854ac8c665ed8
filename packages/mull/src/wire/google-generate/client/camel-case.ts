import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";

/** Values whose keys are the caller's own: schemas, arguments, results, labels. */
const ownKeys: ReadonlySet<string> = new Set(
  "args response parameters parametersJsonSchema responseSchema responseJsonSchema labels".split(
    " ",
  ),
);

const camel = (key: string): string =>
  key.replaceAll(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * A body with camel-case names and without nulls: the service takes `function_call` for
 * `functionCall`, and null for absent.
 */
export function camelCase(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      if (value === null || value === undefined) return [];
      const name = camel(key);
      return [[name, isOwnKeyed(name, value) ? value : camelValue(value)]];
    }),
  );
}

/** A declaration's `response` is a schema, and so is a result's: both are objects of the caller. */
const isOwnKeyed = (name: string, value: JsonValue): boolean =>
  ownKeys.has(name) && isJsonObject(value);

function camelValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => camelValue(item));
  return isJsonObject(value) ? camelCase(value) : value;
}
