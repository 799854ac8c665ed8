import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { checkToolInput } from "../../common/tool-input.ts";

/** A repeated field may be given as its one item. */
export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter(isJsonObject);

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value) ? value : {};

export const textOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : "";

export const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0;

/** Nested so deep that it could be read but never written again: `JSON.stringify` would overflow. */
export const isTooDeep = (value: JsonValue): boolean =>
  checkToolInput({ value }).invalid !== undefined;
