import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import type { Note, ServiceReport } from "../types/plan.ts";
import { readCount } from "../wire/common/token-count.ts";

/** Why a thought did not fit, as Anthropic names it, in words. */
const bindings: ReadonlyMap<string, string> = new Map([
  ["model_binding_mismatch", "this model may not read the reasoning of the model that wrote it"],
  ["prefix_binding_mismatch", "the conversation before it has changed since it was written"],
  ["organization_binding_mismatch", "it was written under another organization"],
  ["end_user_binding_mismatch", "it was written for another end user"],
]);

/** Why a prompt cache was missed, as Anthropic and OpenAI name it, in words. */
const misses: ReadonlyMap<string, string> = new Map([
  ["model_changed", "the model has changed"],
  ["system_changed", "the system prompt has changed"],
  ["tools_changed", "the tools have changed"],
  ["messages_changed", "an earlier message has changed"],
  ["input_changed", "an earlier part of the input has changed"],
  ["prompt_cache_key_changed", "the cache key has changed"],
  ["text_format_changed", "the output format has changed"],
  ["reasoning_effort_changed", "the effort has changed"],
  ["verbosity_changed", "the verbosity has changed"],
  ["context_compacted", "the context was compacted"],
  ["service_tier_changed", "the service tier has changed"],
  ["previous_message_not_found", "the service no longer has the answer to compare with"],
  ["comparison_response_not_found", "the service no longer has the answer to compare with"],
]);

/** What a service says it changed in a request, or missed in its cache. */
export function reportsOf(metadata: JsonObject | undefined): readonly ServiceReport[] {
  const { input_transformations: changes, diagnostics, prompt_cache_diagnostics } = metadata ?? {};
  const missed = isJsonObject(diagnostics) ? diagnostics["cache_miss_reason"] : undefined;
  return [
    ...(Array.isArray(changes) ? changes : []).filter(isJsonObject).map(readChange),
    ...[missed, prompt_cache_diagnostics].flatMap(readMiss),
  ];
}

function readChange(raw: JsonObject): ServiceReport {
  const { type, path, reason } = raw;
  return {
    type: typeof type === "string" ? type : "unknown",
    ...(typeof reason === "string" && { reason }),
    ...(typeof path === "string" && { path }),
    raw,
  };
}

/** A hit needs no word, and `unavailable` says nothing. */
function readMiss(raw: JsonValue | undefined): readonly ServiceReport[] {
  if (!isJsonObject(raw)) return [];
  const { type, reason = type } = raw;
  if (type === "cache_hit" || type === "unavailable" || typeof reason !== "string") return [];
  const tokens = readCount(raw["cache_missed_input_tokens"] ?? raw["cache_missed_tokens"]);
  return [{ type: "cache_miss", reason, ...(tokens !== undefined && { tokens }), raw }];
}

/** The same in plain words, one note for what happened several times for one reason. */
export function reportNotes(reports: readonly ServiceReport[]): readonly Note[] {
  const groups = new Map<string, ServiceReport[]>();
  for (const report of reports) {
    const key = `${report.type} ${report.reason ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].map(describe);
}

function describe(group: readonly ServiceReport[]): Note {
  const { type, reason = "", tokens } = group[0]!;
  const thoughts = group.length === 1 ? "a thinking block" : `${group.length} thinking blocks`;
  const why = bindings.get(reason) ?? misses.get(reason) ?? reason.replaceAll("_", " ");
  const because = why === "" ? "." : `: ${why}.`;
  switch (type) {
    case "thinking_dropped":
      return warning(
        "service-thinking-dropped",
        `The service left out ${thoughts} of the history${because}`,
      );
    case "thinking_mismatch_allowed":
      return info(
        "service-thinking-allowed",
        `The service showed the model ${thoughts} all the same${because}`,
      );
    case "cache_miss": {
      const lost =
        tokens === undefined ? "" : ` for about ${tokens.toLocaleString("en-US")} tokens`;
      return info("service-cache-miss", `The prompt cache was missed${lost}${because}`);
    }
    default:
      return info("service-change", `The service changed the request (${type})${because}`);
  }
}

const info = (code: string, message: string): Note => ({ code, severity: "info", message });
const warning = (code: string, message: string): Note => ({ code, severity: "warning", message });
