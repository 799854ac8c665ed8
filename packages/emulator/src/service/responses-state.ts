import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import { itemId, readItemId } from "../world/ids.ts";
import { keep, type World } from "../world/world.ts";
import { isLocal, recallNothing, storesResponses } from "./local-responses.ts";
import {
  invalidRequest,
  listIn,
  objectIn,
  textIn,
  type ServiceExchange,
  type ReadExchange,
  type Refusal,
} from "./service.ts";

/** Input as a list of items; a bare text is a user message. */
export const inputItems = (input: JsonValue | undefined): readonly JsonValue[] =>
  typeof input === "string"
    ? [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }]
    : listIn(input);

const notFound = (id: string, isStored: boolean): Refusal => ({
  rule: "openai/item-not-found",
  error: {
    status: 404,
    type: "invalid_request_error",
    message: isStored
      ? `Item with id '${id}' not found.`
      : `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    param: "input",
  },
});

const storedItem = (world: World, id: string): JsonObject | undefined => {
  for (const stored of world.responses.values()) {
    for (const item of stored.items) if (isJsonObject(item) && item["id"] === id) return item;
  }
  return undefined;
};

const isRefusal = (value: JsonValue | Refusal): value is Refusal =>
  isJsonObject(value) && "rule" in value && "error" in value;

/** A malformed item is left to the rules: the service checks its fields before it looks the item up. */
const isLookup = (item: JsonObject, exchange: ServiceExchange): boolean =>
  item["type"] === "item_reference" ||
  (item["type"] === "reasoning" &&
    !isLocal(exchange) &&
    textIn(item["id"]) !== "" &&
    textIn(item["encrypted_content"]) === "" &&
    Array.isArray(item["summary"]) &&
    !("status" in item));

const resolveItem = (item: JsonValue, exchange: ServiceExchange): JsonValue | Refusal => {
  if (!isJsonObject(item) || !isLookup(item, exchange)) return item;
  const id = textIn(item["id"]);
  const isStored = exchange.body["store"] !== false;
  const found = isStored ? storedItem(exchange.world, id) : undefined;
  if (found !== undefined) return found;
  // The emulator does not know what the real service stored, and cannot open its seals.
  const mayExist = isStored && exchange.world.options.foreignSeals === "accept";
  return mayExist ? item : notFound(id, isStored);
};

/** Conversations are created at an endpoint that is not emulated, so every conversation id is unknown. */
const refuseConversation = ({ body, world }: ServiceExchange): Refusal | undefined => {
  const { conversation } = body;
  const id = textIn(isJsonObject(conversation) ? conversation["id"] : conversation);
  if (id === "" || world.options.foreignSeals === "accept") return undefined;
  const message = `Conversation with id '${id}' not found.`;
  return invalidRequest("openai/conversation", message, { status: 404, param: "conversation" });
};

/** The body with the stored turns before it and references replaced by what they point at. */
export const recallResponses = (exchange: ServiceExchange): JsonObject | Refusal => {
  const { body, world } = exchange;
  const forgotten = recallNothing(exchange);
  if (forgotten !== undefined) return forgotten;
  const refusal = refuseConversation(exchange);
  if (refusal !== undefined) return refusal;
  const given: JsonValue[] = [];
  for (const item of inputItems(body["input"])) {
    const resolved = resolveItem(item, exchange);
    if (isRefusal(resolved)) return resolved;
    given.push(resolved);
  }
  const previous = textIn(body["previous_response_id"]);
  const changed = given.some((item, i) => item !== listIn(body["input"])[i]);
  if (previous === "")
    return changed && typeof body["input"] !== "string" ? { ...body, input: given } : body;
  const stored = world.responses.get(previous);
  if (stored === undefined && world.options.foreignSeals === "accept") return body;
  if (stored === undefined) {
    return invalidRequest(
      "openai/previous-response",
      `Previous response with id '${previous}' not found.`,
      { param: "previous_response_id", code: "previous_response_not_found" },
    );
  }
  return { ...body, input: [...stored.items, ...given] };
};

const idOf = (item: JsonValue): string => (isJsonObject(item) ? textIn(item["id"]) : "");

const duplicated = (ids: readonly string[]): string | undefined =>
  ids.find((id, i) => id !== "" && ids.indexOf(id) !== i);

/** Unverified accounts get no summaries. A key that contains `unverified` stands for one. */
const checkVerified = ({ body, headers }: ServiceExchange): Refusal | undefined => {
  const summary = objectIn(body["reasoning"])["summary"];
  if (typeof summary !== "string" || headers["authorization"]?.includes("unverified") !== true) {
    return undefined;
  }
  return invalidRequest(
    "openai/verified-organization",
    "Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.",
    { param: "reasoning.summary", code: "unsupported_value" },
  );
};

/** Items of one response belong together: an item made by reasoning is refused without it. */
export const checkItems = (exchange: ServiceExchange): Refusal | undefined => {
  if (isLocal(exchange)) return undefined;
  const unverified = checkVerified(exchange);
  if (unverified !== undefined) return unverified;
  const items = listIn(exchange.body["input"]);
  const ids = items.map(idOf);
  const twice = new Set(ids).size === ids.length ? undefined : duplicated(ids);
  if (twice !== undefined) {
    return invalidRequest(
      "openai/duplicate-item",
      `Duplicate item found with id ${twice}. Remove duplicate items from your input and try again.`,
      { param: "input" },
    );
  }
  const present = new Set(ids);
  for (const [i, id] of ids.entries()) {
    const facts = readItemId(exchange.world.secret, id);
    if (facts?.reasoning === undefined) continue;
    const partner = itemId(exchange.world.secret, {
      prefix: "rs",
      response: facts.response,
      index: facts.reasoning,
      reasoning: undefined,
    });
    if (present.has(partner) || hasUnnamedReasoning(items.slice(0, i))) continue;
    const type = facts.prefix === "fc" ? "function_call" : "message";
    return invalidRequest(
      "openai/item-without-reasoning",
      `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${partner}'.`,
      { param: "input" },
    );
  }
  return undefined;
};

/** With encrypted content the id of a reasoning item may be left out. */
const hasUnnamedReasoning = (items: readonly JsonValue[]): boolean =>
  items.some(
    (item) => isJsonObject(item) && item["type"] === "reasoning" && textIn(item["id"]) === "",
  );

/** Keeps the whole conversation under the id of its latest response, unless it was asked not to. */
export const rememberResponse = (exchange: ReadExchange, answer: JsonObject): void => {
  if (!storesResponses(exchange)) return;
  const input = inputItems(exchange.body["input"]);
  keep(exchange.world.responses, textIn(answer["id"]), {
    items: [...input, ...listIn(answer["output"])],
    input,
    answer,
  });
};
