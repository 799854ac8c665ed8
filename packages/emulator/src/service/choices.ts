import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";
import type { ServerSentEvent } from "mull/wire";

import { spreadEvents, type Altered } from "../fault/alter-events.ts";
import { newId } from "../world/ids.ts";
import type { RandomBytes } from "../world/random.ts";
import { listIn, objectIn, unchanged, type ReadExchange } from "./service.ts";

/** The providers that give `n` answers; the others ignore `n`. */
const givesSeveral: ReadonlySet<string> = new Set([
  "openai",
  "openai-chat",
  "azure",
  "github",
  "mistral",
  "moonshot",
  "together",
  "vllm",
  "sglang",
  "llamacpp",
]);

const countAsked = ({ body, model }: ReadExchange): number => {
  const { n } = body;
  return typeof n === "number" && n > 1 && givesSeveral.has(model.provider) ? n : 1;
};

const otherCall = (call: JsonValue, random: RandomBytes): JsonValue =>
  isJsonObject(call) && "id" in call ? { ...call, id: newId.openaiCall(random) } : call;

/** The first answer again under another index, with new ids for its calls: two answers never share one. */
const retold = (choice: JsonObject, index: number, random: RandomBytes): JsonObject => {
  if (index === 0) return choice;
  const place = "delta" in choice ? "delta" : "message";
  const said = objectIn(choice[place]);
  const calls = listIn(said["tool_calls"]).map((call) => otherCall(call, random));
  return { ...choice, index, [place]: { ...said, ...(calls.length > 0 && { tool_calls: calls }) } };
};

const allOf = (choice: JsonObject, count: number, random: RandomBytes): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => retold(choice, index, random));

const times = (value: JsonValue | undefined, count: number): number =>
  (typeof value === "number" ? value : 0) * count;

/** The prompt is counted once, each answer separately. */
const usageOf = (value: JsonValue | undefined, count: number): JsonValue | undefined => {
  if (!isJsonObject(value)) return value;
  const completion = times(value["completion_tokens"], count);
  const details = objectIn(value["completion_tokens_details"]);
  return {
    ...value,
    completion_tokens: completion,
    total_tokens: times(value["prompt_tokens"], 1) + completion,
    completion_tokens_details: Object.fromEntries(
      Object.entries(details).map(([name, tokens]) => [name, times(tokens, count)]),
    ),
  };
};

const withUsage = (said: JsonObject, count: number): JsonObject => {
  const usage = usageOf(said["usage"], count);
  return usage === undefined ? said : { ...said, usage };
};

/** A whole answer with the number of choices that was asked for. */
export const wholeChoices = (answer: JsonObject, exchange: ReadExchange): JsonObject => {
  const count = countAsked(exchange);
  if (count === 1) return answer;
  const [choice] = listIn(answer["choices"]);
  const choices = allOf(objectIn(choice), count, exchange.world.random);
  return withUsage({ ...answer, choices }, count);
};

const choiceIn = (chunk: JsonObject): JsonValue | undefined => listIn(chunk["choices"])[0];

/**
 * Events of the number of choices that was asked for, in turns: each sends one piece before the first
 * sends its next one, so all of them end together, as they do at the service.
 */
export const streamChoices = (
  events: readonly ServerSentEvent[],
  exchange: ReadExchange,
): Altered => {
  const count = countAsked(exchange);
  if (count === 1) return unchanged(events);
  return spreadEvents(events, (event) => eventsOf(event, count, exchange.world.random));
};

const eventsOf = (
  event: ServerSentEvent,
  count: number,
  random: RandomBytes,
): readonly ServerSentEvent[] => {
  if (event.data === "[DONE]") return [event];
  const chunk = JSON.parse(event.data) as JsonObject;
  const choice = choiceIn(chunk);
  if (!isJsonObject(choice)) return [{ ...event, data: JSON.stringify(withUsage(chunk, count)) }];
  return allOf(choice, count, random).map((said) => ({
    ...event,
    data: JSON.stringify({ ...chunk, choices: [said] }),
  }));
};
