import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/**
 * Whether a body may hold half a character, e.g. an emoji cut by `text.slice(0, 100)`. `JSON.stringify`
 * writes it as `\ud83e`, which services refuse as bad JSON. Also true for the rare body whose text
 * merely quotes such an escape.
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
