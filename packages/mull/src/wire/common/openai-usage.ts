import { isJsonObject, type JsonObject } from "../../types/json.ts";
import type { Usage } from "../../types/usage.ts";
import { makeUsage } from "./answer.ts";
import { asObject, readCount } from "./json-reading.ts";

/** Finds the usage in a chunk or whole answer, wherever the server puts it. */
export function findUsage(
  body: JsonObject,
  choice: JsonObject | undefined,
): JsonObject | undefined {
  for (const usage of [body["usage"], asObject(body["x_groq"])["usage"], choice?.["usage"]]) {
    if (isJsonObject(usage)) return usage;
  }
  return undefined;
}

/**
 * Reads usage under either family of names, since compatible servers mix them. They count thinking
 * inside `completion_tokens`, apart from it, or only in the total: the total decides, and `thinkingOutside`
 * if there is none. `isTotalExact`: what the total has more is an error, not thinking.
 */
export function readUsage(
  raw: JsonObject,
  thinkingOutside: boolean,
  showedThinking: boolean,
  isTotalExact = false,
): Usage {
  const promptDetails = asObject(raw["prompt_tokens_details"] ?? raw["input_tokens_details"]);
  const details = asObject(raw["completion_tokens_details"] ?? raw["output_tokens_details"]);
  const prompt = readCount(raw["prompt_tokens"] ?? raw["input_tokens"]);
  const completion = readCount(raw["completion_tokens"] ?? raw["output_tokens"]);
  const total = readCount(raw["total_tokens"]);
  const cacheRead =
    readCount(promptDetails["cached_tokens"]) ??
    readCount(raw["prompt_cache_hit_tokens"]) ??
    readCount(raw["cached_tokens"]) ??
    readCount(raw["num_cached_tokens"]) ??
    readCount(raw["cache_read_input_tokens"]);
  const cacheWrite =
    readCount(promptDetails["cache_write_tokens"]) ?? readCount(raw["cache_creation_input_tokens"]);
  const reported = readCount(details["reasoning_tokens"]) ?? readCount(raw["reasoning_tokens"]);

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
  const isDerived =
    !isTotalExact && thinking === undefined && completion !== undefined && beyond > 0;
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
