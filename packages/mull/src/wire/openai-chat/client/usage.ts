import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { Usage } from "../../../types/usage.ts";
import { makeUsage } from "../../common/answer.ts";
import { readCount } from "../../common/token-count.ts";

const inside = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

/** Finds the usage in a chunk or whole answer, wherever the server puts it. */
export function findUsage(
  body: JsonObject,
  choice: JsonObject | undefined,
): JsonObject | undefined {
  for (const usage of [body["usage"], inside(body, "x_groq")["usage"], choice?.["usage"]]) {
    if (isJsonObject(usage)) return usage;
  }
  return undefined;
}

/**
 * Reads usage. Servers count thinking inside `completion_tokens`, beside it, or only in the total:
 * the total decides, and `thinkingOutside` where there is none.
 */
export function readUsage(
  raw: JsonObject,
  thinkingOutside: boolean,
  showedThinking: boolean,
): Usage {
  const promptDetails = inside(raw, "prompt_tokens_details");
  const prompt = readCount(raw["prompt_tokens"]);
  const completion = readCount(raw["completion_tokens"]);
  const total = readCount(raw["total_tokens"]);
  const cacheRead =
    readCount(promptDetails["cached_tokens"]) ??
    readCount(raw["prompt_cache_hit_tokens"]) ??
    readCount(raw["cached_tokens"]) ??
    readCount(raw["num_cached_tokens"]) ??
    readCount(raw["cache_read_input_tokens"]);
  const cacheWrite =
    readCount(promptDetails["cache_write_tokens"]) ?? readCount(raw["cache_creation_input_tokens"]);
  const reported =
    readCount(inside(raw, "completion_tokens_details")["reasoning_tokens"]) ??
    readCount(raw["reasoning_tokens"]);

  const warnings: string[] = [];
  const known = (prompt ?? 0) + (completion ?? 0);
  const beyond = total === undefined ? 0 : total - known;
  const input = prompt === undefined ? undefined : prompt - (cacheRead ?? 0) - (cacheWrite ?? 0);
  if (input !== undefined && input < 0) {
    warnings.push(`cached tokens exceed the ${prompt} prompt tokens`);
  }
  let thinking = reported;
  if (reported === 0 && showedThinking) {
    thinking = undefined;
    warnings.push("reasoning_tokens is 0 although thinking was shown");
  }
  const isDerived = thinking === undefined && completion !== undefined && beyond > 0;
  if (isDerived) thinking = beyond;
  const isOutside =
    isDerived || (total === undefined ? thinkingOutside : thinking !== 0 && beyond === thinking);
  if (!isDerived && beyond !== 0 && !isOutside) {
    warnings.push(`total_tokens is ${total}, prompt and completion are ${known}`);
  }
  let output = completion;
  if (completion !== undefined && thinking !== undefined && !isOutside) {
    output = completion - thinking;
    if (output < 0)
      warnings.push(`reasoning_tokens ${thinking} exceed completion_tokens ${completion}`);
  }
  const counts = { input, cacheRead, cacheWrite, output, thinking, total };
  return makeUsage(
    raw,
    { ...counts, thinkingSource: isDerived ? "derived" : "reported" },
    warnings,
  );
}
