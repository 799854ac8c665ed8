import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";
import type { ServerSentEvent } from "mull/wire";

import { quickHash } from "../world/quick-hash.ts";
import { wordsOf } from "../world/tokens.ts";
import { listIn, objectIn, textIn, type ReadExchange } from "./service.ts";

/** The providers that send log probabilities; the others ignore the wish. */
const tells: ReadonlySet<string> = new Set([
  "openai",
  "openai-chat",
  "azure",
  "vllm",
  "sglang",
  "llamacpp",
]);

/** Invented alternative tokens, as many as a request may ask for. */
const otherTokens: readonly string[] =
  " the of and to in is that it for was on are as with be at by this have or".match(/ \w+/g) ?? [];

const bytesOf = (token: string): readonly number[] => [...new TextEncoder().encode(token)];

interface Spelling {
  /** How many alternatives each token has. */
  readonly top: number;
  /** Events of the Responses API have no `bytes`. */
  readonly withBytes: boolean;
}

const entryOf = (token: string, logprob: number, withBytes: boolean): JsonObject => ({
  token,
  logprob,
  ...(withBytes && { bytes: bytesOf(token) }),
});

/** Invented, but the same each time: about 0.9 for the token, and the alternatives share the rest. */
const logprobOf = (token: string): number => -(500 + (quickHash(token, 0) % 1000)) / 10_000;

/** The tokens of a text with their probabilities. */
const logprobsOf = (text: string, { top, withBytes }: Spelling): readonly JsonObject[] =>
  wordsOf(text).map((token) => {
    const chosen = entryOf(token, logprobOf(token), withBytes);
    const others = otherTokens
      .filter((other) => other !== token)
      .map((other, rank) => entryOf(other, -4 - rank, withBytes));
    return { ...chosen, top_logprobs: [chosen, ...others].slice(0, top) };
  });

const topOf = ({ body }: ReadExchange): number => Number(body["top_logprobs"] ?? 0);

const isAskedOnChat = ({ body, model }: ReadExchange): boolean =>
  body["logprobs"] === true && tells.has(model.provider);

const ofSaid = (value: JsonValue | undefined, top: number): readonly JsonObject[] | null =>
  typeof value === "string" ? logprobsOf(value, { top, withBytes: true }) : null;

/** A choice, whole or one piece of it, with the probabilities of its tokens. */
const tellChoice = (choice: JsonValue, top: number): JsonValue => {
  if (!isJsonObject(choice)) return choice;
  const said = objectIn(choice["message"] ?? choice["delta"]);
  const logprobs = { content: ofSaid(said["content"], top), refusal: ofSaid(said["refusal"], top) };
  const isSilent = logprobs.content === null && logprobs.refusal === null;
  return { ...choice, logprobs: isSilent ? null : logprobs };
};

const tellChoices = (answer: JsonObject, top: number): JsonObject => ({
  ...answer,
  choices: listIn(answer["choices"]).map((choice) => tellChoice(choice, top)),
});

export const chatLogprobs = (answer: JsonObject, exchange: ReadExchange): JsonObject =>
  isAskedOnChat(exchange) ? tellChoices(answer, topOf(exchange)) : answer;

const changeData = (
  events: readonly ServerSentEvent[],
  change: (data: JsonObject) => JsonObject,
): readonly ServerSentEvent[] =>
  events.map((event) =>
    event.data === "[DONE]"
      ? event
      : { ...event, data: JSON.stringify(change(JSON.parse(event.data) as JsonObject)) },
  );

export const streamedChatLogprobs = (
  events: readonly ServerSentEvent[],
  exchange: ReadExchange,
): readonly ServerSentEvent[] =>
  isAskedOnChat(exchange)
    ? changeData(events, (chunk) => tellChoices(chunk, topOf(exchange)))
    : events;

const isAskedOnResponses = ({ body, model }: ReadExchange): boolean =>
  listIn(body["include"]).includes("message.output_text.logprobs") && tells.has(model.provider);

/** Every text of the model within a value, with the probabilities of its tokens. */
const tellTexts = (value: JsonValue, top: number): JsonValue => {
  if (Array.isArray(value)) return value.map((each: JsonValue) => tellTexts(each, top));
  if (!isJsonObject(value)) return value;
  if (value["type"] === "output_text") {
    return { ...value, logprobs: logprobsOf(textIn(value["text"]), { top, withBytes: true }) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, tellTexts(each as JsonValue, top)]),
  );
};

const tellOutput = (answer: JsonObject, top: number): JsonObject => ({
  ...answer,
  output: tellTexts(answer["output"] ?? [], top),
});

export const responsesLogprobs = (answer: JsonObject, exchange: ReadExchange): JsonObject =>
  isAskedOnResponses(exchange) ? tellOutput(answer, topOf(exchange)) : answer;

const tellEvent = (event: JsonObject, top: number): JsonObject => {
  const { type, response, part, item } = event;
  if (type === "response.output_text.delta" || type === "response.output_text.done") {
    const said = textIn(event["delta"] ?? event["text"]);
    return { ...event, logprobs: logprobsOf(said, { top, withBytes: false }) };
  }
  return {
    ...event,
    ...(isJsonObject(response) && { response: tellOutput(response, top) }),
    ...(part !== undefined && { part: tellTexts(part, top) }),
    ...(item !== undefined && { item: tellTexts(item, top) }),
  };
};

export const streamedResponsesLogprobs = (
  events: readonly ServerSentEvent[],
  exchange: ReadExchange,
): readonly ServerSentEvent[] =>
  isAskedOnResponses(exchange)
    ? changeData(events, (event) => tellEvent(event, topOf(exchange)))
    : events;
