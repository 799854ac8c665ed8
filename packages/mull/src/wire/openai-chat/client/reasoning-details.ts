import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";

const textKeys = ["text", "summary", "thinking"] as const;

/** The readable text of OpenRouter's `reasoning_details` or of `thinking_blocks`. */
export function detailsText(details: readonly JsonValue[]): string {
  let text = "";
  for (const detail of details) {
    if (!isJsonObject(detail)) continue;
    for (const key of textKeys) if (typeof detail[key] === "string") text += detail[key];
  }
  return text;
}

export const hasSummary = (details: readonly JsonValue[]): boolean =>
  details.some((detail) => isJsonObject(detail) && detail["type"] === "reasoning.summary");

/**
 * Adds the pieces of one delta. Neighbouring pieces of one text become one detail; encrypted ones
 * stay apart, and one that came twice is kept once.
 */
export function addDetails(
  details: readonly JsonValue[],
  pieces: readonly JsonValue[],
): readonly JsonValue[] {
  const sum = [...details];
  for (const piece of pieces) {
    const last = sum.at(-1);
    if (isJsonObject(piece) && isJsonObject(last) && isSameText(last, piece)) {
      sum[sum.length - 1] = joinDetail(last, piece);
    } else if (!sum.some((known) => isSameSecret(known, piece))) sum.push(piece);
  }
  return sum;
}

const isSameText = (last: JsonObject, piece: JsonObject): boolean =>
  last["type"] === piece["type"] &&
  last["index"] === piece["index"] &&
  (last["id"] === piece["id"] || !last["id"] || !piece["id"]) &&
  !("data" in piece) &&
  !("data" in last);

const isSameSecret = (known: JsonValue, piece: JsonValue): boolean =>
  isJsonObject(known) &&
  isJsonObject(piece) &&
  typeof piece["data"] === "string" &&
  known["data"] === piece["data"] &&
  known["id"] === piece["id"];

function joinDetail(last: JsonObject, piece: JsonObject): JsonObject {
  const joined = new Map(Object.entries(last));
  for (const [key, value] of Object.entries(piece)) {
    if (value === null || value === "") continue;
    const before = joined.get(key);
    const grows = (textKeys as readonly string[]).includes(key);
    joined.set(
      key,
      grows && typeof before === "string" && typeof value === "string" ? before + value : value,
    );
  }
  return Object.fromEntries(joined);
}

/**
 * Details as they may go back: each id once in the whole history, and no unsigned text if the
 * gateway's model checks signatures.
 */
export function replayableDetails(
  details: readonly JsonValue[],
  seen: Set<string>,
): readonly JsonValue[] {
  const signed = new Set(
    details
      .filter(isJsonObject)
      .filter(isSigned)
      .map(({ index }) => index),
  );
  return details.filter((detail) => {
    if (!isJsonObject(detail)) return true;
    const { id, type, format, index } = detail;
    if (type === "reasoning.text" && signedFormats.has(format) && !signed.has(index)) return false;
    if (typeof id !== "string" || id === "") return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

const isSigned = ({ signature, data }: JsonObject): boolean =>
  (typeof signature === "string" && signature !== "") || typeof data === "string";
const signedFormats: ReadonlySet<unknown> = new Set(["anthropic-claude-v1", "google-gemini-v1"]);
