import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";

/** A repeated field may be given as its one item. */
export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter(isJsonObject);

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value) ? value : {};

export const textOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : "";

export const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0;
