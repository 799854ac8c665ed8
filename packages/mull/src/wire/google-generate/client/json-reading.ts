import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { checkToolInput } from "../../common/tool-input.ts";

/** The objects of a repeated field, which may be given as its single item. */
export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter(isJsonObject);

/** Whether a value is nested too deeply for `JSON.stringify` to write it again. */
export const isTooDeep = (value: JsonValue): boolean =>
  checkToolInput({ value }).invalid !== undefined;
