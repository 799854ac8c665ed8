import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/**
 * `JSON.stringify` writes half a surrogate pair as an escape, which services refuse as bad JSON.
 * True for every such body, and rarely for one that merely talks about escapes.
 */
export const mayHoldHalfCharacters = (json: string): boolean => json.includes("\\ud");

/**
 * Puts U+FFFD in the place of half characters. Signed objects stay as they are: their seal covers
 * the text. Returns the body given when there is nothing to mend.
 */
export const mendHalfCharacters = (body: JsonObject): JsonObject => mend(body) as JsonObject;

const half = /\p{Surrogate}/gu;

const sealFields = ["signature", "thoughtSignature", "encrypted_content"] as const;

function mend(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replace(half, "\uFFFD");
  if (Array.isArray(value)) {
    const mended = (value as readonly JsonValue[]).map(mend);
    return mended.some((item, index) => item !== value[index]) ? mended : value;
  }
  if (!isJsonObject(value) || sealFields.some((field) => typeof value[field] === "string"))
    return value;
  let isMended = false;
  const entries = Object.entries(value).map(([key, field]): [string, JsonValue | undefined] => {
    const mendedKey = key.replace(half, "\uFFFD");
    const mended = field === undefined ? field : mend(field);
    if (mended !== field || mendedKey !== key) isMended = true;
    return [mendedKey, mended];
  });
  return isMended ? Object.fromEntries(entries) : value;
}
