import type { JsonObject } from "../../../types/json.ts";
import type { Usage } from "../../../types/usage.ts";
import { makeUsage } from "../../common/answer.ts";
import { readCount } from "../../common/json-reading.ts";

const count = (raw: JsonObject, name: string): number | undefined => readCount(raw[name]);

/** Whether usage metadata has counts. Vertex sends `{trafficType}` alone in the middle of a stream. */
export const hasCounts = (raw: JsonObject): boolean =>
  count(raw, "totalTokenCount") !== undefined || count(raw, "promptTokenCount") !== undefined;

/**
 * Reads `usageMetadata`. `candidatesTokenCount` leaves thoughts out today; some earlier models
 * count them in, and the total tells which.
 */
export function readUsage(raw: JsonObject | undefined): Usage {
  if (raw === undefined) return {};
  const prompt = count(raw, "promptTokenCount");
  const toolUse = count(raw, "toolUsePromptTokenCount") ?? 0;
  const cacheRead = count(raw, "cachedContentTokenCount");
  const thinking = count(raw, "thoughtsTokenCount");
  const total = count(raw, "totalTokenCount");
  const candidates = count(raw, "candidatesTokenCount") ?? rest(total, prompt, toolUse, thinking);
  const withoutThoughts = (prompt ?? 0) + toolUse + (candidates ?? 0);
  const inclusive = thinking !== undefined && thinking > 0 && withoutThoughts === total;
  const output = candidates && candidates - (inclusive ? thinking : 0);
  const sum = withoutThoughts + (inclusive ? 0 : (thinking ?? 0));
  const input = prompt === undefined ? undefined : prompt + toolUse - (cacheRead ?? 0);
  return makeUsage(raw, { input, cacheRead, output, thinking, total }, [
    total !== undefined &&
      sum !== total &&
      `prompt, tool use, candidates and thoughts make ${sum}, totalTokenCount is ${total}`,
  ]);
}

/** The answer's tokens by subtraction: the service leaves `candidatesTokenCount` out if it counted only thinking. */
function rest(total = 0, prompt = 0, toolUse = 0, thinking?: number): number | undefined {
  return thinking === undefined ? undefined : Math.max(0, total - prompt - toolUse - thinking);
}
