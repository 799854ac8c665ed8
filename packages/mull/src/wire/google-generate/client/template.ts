import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import { endOfJsonString, valueOfJsonString } from "../../common/json-string.ts";

/**
 * The text around the one delta of a frame. Frames of a stream differ in the delta and the counts
 * only, so a frame with the same prefix, middle and suffix as one that was parsed needs no parsing.
 */
export interface FrameTemplate {
  readonly kind: "text" | "thinking";
  readonly prefix: string;
  /** From behind the delta's closing quote up to the usage object. */
  readonly middle: string;
  /** From the usage object's closing brace on. */
  readonly suffix: string;
}

/** `},"` stands nowhere inside a usage object: its only objects are items of lists. */
const usageEnd = '},"';

/** Learns the template of a parsed frame, where it holds one plain delta and nothing else of note. */
export function learnTemplate(data: string, chunk: JsonObject): FrameTemplate | undefined {
  const part = onlyPart(chunk);
  if (part === undefined || !isJsonObject(chunk["usageMetadata"])) return undefined;
  const from = textStart.exec(data)?.[0].length;
  const behind = from === undefined ? 0 : endOfJsonString(data, from);
  if (from === undefined || valueOfJsonString(data, from, behind) !== part["text"])
    return undefined;
  const usage = /^[^{]*"usageMetadata"\s*:\s*(?=\{)/.exec(data.slice(behind));
  if (usage === null) return undefined;
  const usageAt = behind + usage[0].length;
  const end = data.indexOf(usageEnd, usageAt);
  if (end < 0) return undefined;
  return {
    kind: part["thought"] === true ? "thinking" : "text",
    prefix: data.slice(0, from),
    middle: usage[0],
    suffix: data.slice(end),
  };
}

/** Where the first text begins, in a frame that opens with its candidates. */
const textStart = /^\{\s*"candidates"\s*:[^"]*"content"\s*:[^]{0,64}?"text"\s*:\s*"/;

function onlyPart(chunk: JsonObject): JsonObject | undefined {
  const candidate = onlyItem(chunk["candidates"], ["content", "index"]);
  const content = candidate?.["content"];
  if (!isJsonObject(content) || !hasOnly(content, ["parts", "role"])) return undefined;
  const part = onlyItem(content["parts"], ["text", "thought"]);
  return (candidate?.["index"] ?? 0) === 0 && typeof part?.["text"] === "string" ? part : undefined;
}

const onlyItem = (list: unknown, keys: readonly string[]): JsonObject | undefined => {
  const item: unknown = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  return isJsonObject(item) && hasOnly(item, keys) ? item : undefined;
};

const hasOnly = (object: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(object).every((key) => keys.includes(key));

/** What a frame adds to the one its template was learnt from. */
interface FrameReading {
  readonly delta: string;
  readonly usageFrom: number;
  readonly usageTo: number;
}

export function readByTemplate(data: string, template: FrameTemplate): FrameReading | undefined {
  const { prefix, middle, suffix } = template;
  // Comparing slices is several times faster than `startsWith`.
  if (data.slice(0, prefix.length) !== prefix) return undefined;
  const behind = endOfJsonString(data, prefix.length);
  const usageFrom = behind + middle.length;
  if (behind === 0 || data.slice(behind, usageFrom) !== middle) return undefined;
  const end = data.indexOf(usageEnd, usageFrom);
  if (end < 0 || data.slice(end) !== suffix) return undefined;
  const delta = valueOfJsonString(data, prefix.length, behind);
  return delta ? { delta, usageFrom, usageTo: end + 1 } : undefined;
}
