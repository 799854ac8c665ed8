import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";

/** The beginning of a list in a body, as text. */
export interface WrittenItems {
  readonly list: readonly JsonValue[];
  /** How many items of the list the text holds; at least one. */
  readonly count: number;
  readonly text: string;
  /** Whether the text was found to be free of half characters. */
  readonly isWhole: boolean;
  /** The body without these items, where the rules that look at pieces have nothing against them. */
  readonly news?: JsonObject;
}

export interface WrittenBody {
  readonly text: string;
  /** False where half a character may be in it. */
  readonly isWhole: boolean;
}

/** What `JSON.stringify` makes of a body. What is written of it already is taken over, and not read again. */
export function writeBody(body: JsonObject, written?: WrittenItems): WrittenBody {
  if (written === undefined || !Object.values(body).includes(written.list)) {
    const text = JSON.stringify(body);
    return { text, isWhole: !mayHoldHalfCharacters(text) };
  }
  let text = "";
  let { isWhole } = written;
  for (const [name, value] of Object.entries(body)) {
    const isList = value === written.list;
    const fresh = JSON.stringify(isList ? written.list.slice(written.count) : value);
    // As in `JSON.stringify`: what is undefined is left out.
    if (fresh === undefined) continue;
    const key = JSON.stringify(name);
    isWhole &&= !mayHoldHalfCharacters(key + fresh);
    text += `${text === "" ? "{" : ","}${key}:`;
    text += isList ? behind(written.text, fresh) : fresh;
  }
  return { text: `${text}}`, isWhole };
}

const behind = (items: string, list: string): string =>
  list === "[]" ? `[${items}]` : `[${items},${list.slice(1)}`;

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
