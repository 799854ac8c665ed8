import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/**
 * Whether a body may hold half a character, e.g. an emoji cut by `text.slice(0, 100)`. `JSON.stringify`
 * writes it as `\ud83e`, which services refuse as bad JSON. Also true for the rare body whose text
 * merely quotes such an escape.
 */
export const mayHoldHalfCharacters = (json: string): boolean => json.includes("\\ud");

/**
 * Replaces half characters by U+FFFD. Signed objects stay as they are: their seal covers
 * the text. Returns the body given when there is nothing to repair.
 */
export const repairHalfCharacters = (body: JsonObject): JsonObject => repair(body) as JsonObject;

const half = /\p{Surrogate}/gu;

const sealFields = ["signature", "thoughtSignature", "encrypted_content"] as const;

function repair(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replace(half, "\uFFFD");
  if (Array.isArray(value)) {
    const repaired = (value as readonly JsonValue[]).map(repair);
    return repaired.some((item, index) => item !== value[index]) ? repaired : value;
  }
  if (!isJsonObject(value) || sealFields.some((field) => typeof value[field] === "string"))
    return value;
  let isRepaired = false;
  const entries = Object.entries(value).map(([key, field]): [string, JsonValue | undefined] => {
    const repairedKey = key.replace(half, "\uFFFD");
    const repaired = field === undefined ? field : repair(field);
    if (repaired !== field || repairedKey !== key) isRepaired = true;
    return [repairedKey, repaired];
  });
  return isRepaired ? Object.fromEntries(entries) : value;
}
