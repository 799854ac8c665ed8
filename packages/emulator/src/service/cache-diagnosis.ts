import type { JsonObject, JsonValue } from "mull";

import { keep } from "../world/world.ts";
import { canonical } from "./anthropic-prefix.ts";
import { promptTokens } from "./compose-reply.ts";
import { objectIn, type ServiceExchange, type ReadExchange, type Service } from "./service.ts";

/** What has to be the same for a cached prompt to be used again, and the service's word for a difference. */
interface Comparison {
  readonly word: string;
  readonly of: (body: JsonObject) => JsonValue | undefined;
}

const field = (word: string, ...names: readonly string[]): Comparison => ({
  word,
  of: (body) => names.map((name) => body[name] ?? null),
});

const anthropicComparisons: readonly Comparison[] = [
  field("model_changed", "model", "speed"),
  field("system_changed", "system"),
  field("tools_changed", "tools"),
  field("unavailable", "thinking", "tool_choice"),
];

const openaiComparisons: readonly Comparison[] = [
  field("model_changed", "model"),
  field("prompt_cache_key_changed", "prompt_cache_key"),
  field("tools_changed", "tools"),
  { word: "text_format_changed", of: ({ text }) => objectIn(text)["format"] },
  { word: "reasoning_effort_changed", of: ({ reasoning }) => objectIn(reasoning)["effort"] },
  { word: "verbosity_changed", of: ({ text }) => objectIn(text)["verbosity"] },
  field("service_tier_changed", "service_tier"),
];

interface Miss {
  readonly word: string;
  /** About how much of the earlier prompt could not be used. */
  readonly tokens: number;
}

const promptOf = (service: Service, body: JsonObject): readonly JsonValue[] => {
  const { pieces, messages } = service.prompt(body);
  return [...pieces.map((piece) => piece ?? null), ...messages];
};

/** The first thing that changed. New messages at the end are no change. */
const findMiss = (
  service: Service,
  earlier: JsonObject,
  body: JsonObject,
  comparisons: readonly Comparison[],
  promptWord: string,
): Miss | undefined => {
  const changed = comparisons.find(({ of }) => canonical(of(earlier)) !== canonical(of(body)));
  const now = promptOf(service, body);
  const isKept = promptOf(service, earlier).every(
    (piece, at) => canonical(piece) === canonical(now[at]),
  );
  return changed === undefined && isKept
    ? undefined
    : { word: changed?.word ?? promptWord, tokens: promptTokens(service, earlier) };
};

const keyOf = ({ account }: ServiceExchange, id: string): string => `${account} ${id}`;

const earlierBody = (exchange: ServiceExchange, id: string): JsonObject | undefined =>
  exchange.world.prompts.get(keyOf(exchange, id));

/** Keeps a request under the id of its answer, to compare a later one with. */
export const keepPrompt = (exchange: ReadExchange, answer: JsonObject): void => {
  const { id } = answer;
  if (typeof id === "string") keep(exchange.world.prompts, keyOf(exchange, id), exchange.body);
};

/** Why the cache was missed, in Anthropic's format. It is told to callers who name an earlier answer. */
export const diagnoseAnthropic = (service: Service, exchange: ServiceExchange): JsonObject => {
  const id = objectIn(exchange.body["diagnostics"])["previous_message_id"];
  if (typeof id !== "string") return { diagnostics: null };
  const earlier = earlierBody(exchange, id);
  if (earlier === undefined)
    return { diagnostics: { cache_miss_reason: { type: "previous_message_not_found" } } };
  const miss = findMiss(service, earlier, exchange.body, anthropicComparisons, "messages_changed");
  if (miss === undefined) return { diagnostics: null };
  const tokens = miss.word !== "unavailable" && { cache_missed_input_tokens: miss.tokens };
  return { diagnostics: { cache_miss_reason: { type: miss.word, ...tokens } } };
};

/** Why the cache was missed, in OpenAI's format. */
export const diagnoseOpenai = (service: Service, exchange: ServiceExchange): JsonObject => {
  const id = objectIn(exchange.body["prompt_cache_options"])["comparison_response_id"];
  if (typeof id !== "string") return {};
  const earlier = earlierBody(exchange, id);
  if (earlier === undefined)
    return { prompt_cache_diagnostics: { type: "comparison_response_not_found" } };
  const miss = findMiss(service, earlier, exchange.body, openaiComparisons, "input_changed");
  return {
    prompt_cache_diagnostics:
      miss === undefined
        ? { type: "cache_hit" }
        : { type: "cache_miss", reason: miss.word, cache_missed_tokens: miss.tokens },
  };
};
