import { isJsonObject, type JsonObject } from "../../types/json.ts";

/** The value of a JSON text; `undefined` where the text is no JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value where it is a text, else an empty one. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The value where it is an object, else an empty one. */
export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The objects of a list; the list itself where it holds nothing else. */
export const asObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value.every(isJsonObject) ? value : value.filter(isJsonObject)) : [];

export const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0;

/** A copy without these fields; the object itself when it has none of them. */
export function without(whole: JsonObject, ...fields: readonly string[]): JsonObject {
  if (!fields.some((field) => Object.hasOwn(whole, field))) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !fields.includes(name)));
}
