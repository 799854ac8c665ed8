import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import { efforts } from "../types/model.ts";
import { isSpoken } from "../wire/common/rule-view.ts";
import type { Remedy } from "./heal.ts";
import { changed, mapObjects, nearestWord, quotedWords, without } from "./json-edit.ts";

/** Drops reasoning items and the ids of the items tied to them; `call_id` keeps the pairs together. */
const dropReasoning = (body: JsonObject): JsonObject =>
  changed(body, "input", (input) =>
    mapObjects(input, (item) => {
      if (item["type"] === "reasoning") return undefined;
      return typeof item["id"] === "string" ? without(item, "id") : item;
    }),
  );

const editReasoning = (body: JsonObject, edit: (reasoning: JsonObject) => JsonObject): JsonObject =>
  changed(body, "reasoning", (reasoning) => {
    if (!isJsonObject(reasoning)) return reasoning;
    const edited = edit(reasoning);
    return Object.keys(edited).length === 0 ? undefined : edited;
  });

const reasoningDropped = "reasoning items and their ids left out; they stay in the history";

const effortText =
  /(?:reasoning_effort' does not support '([^']+)'|value: '([^']+)' is not supported with).*Supported values are: (.+)/;

const nearestEffort = (match: RegExpExecArray): string | undefined =>
  nearestWord(match[1] ?? match[2] ?? "", quotedWords(match[3] ?? ""), efforts);

const dropSampling = (rule: string): Remedy => ({
  rule,
  text: /Unsupported (?:parameter|value): '(temperature|top_p|logprobs|top_logprobs|presence_penalty|frequency_penalty)'/,
  detail: "the parameter the service named is left out",
  mend: (body, match) => without(body, match[1] ?? ""),
});

/**
 * A field that no item of this type has; only some of them are known to rules. `content` refused on a
 * reasoning item is what a person said on the message beside it.
 */
const dropItemField = (rule: string, text: RegExp): Remedy => ({
  rule,
  text,
  detail: "the field the service does not know is left out of the items",
  mend: (body, match) =>
    changed(body, "input", (input) => {
      const field = match[2] ?? "";
      const type = typeAt(input, Number(match[1]));
      const isSaid = type !== "reasoning" && isSpoken(field);
      return mapObjects(input, (item) =>
        isSaid || (item["type"] ?? "message") !== (type ?? item["type"] ?? "message")
          ? item
          : without(item, field),
      );
    }),
});

const typeAt = (input: JsonValue | undefined, at: number): JsonValue | undefined => {
  const item: unknown = Array.isArray(input) ? input[at] : undefined;
  return isJsonObject(item) ? (item["type"] ?? "message") : undefined;
};

/** Reasoning that came without what it belongs to, or that the service does not have. */
const dropRefused = (rule: string, text: RegExp): Remedy => ({
  rule,
  refusesSeals: true,
  text,
  detail: reasoningDropped,
  mend: dropReasoning,
});

const hasRole = (message: JsonValue | undefined, role: string): boolean =>
  isJsonObject(message) && message["role"] === role;

type Messages = readonly JsonValue[];

/** The same body where the order is the same: no request is sent twice. */
const reorder = (body: JsonObject, order: (messages: Messages) => Messages): JsonObject =>
  changed(body, "messages", (value) => {
    const messages: Messages = Array.isArray(value) ? value : [];
    const ordered = order(messages);
    return ordered.every((message, index) => message === messages[index]) ? value : ordered;
  });

const systemFirst = (messages: Messages): Messages => [
  ...messages.filter((message) => hasRole(message, "system")),
  ...messages.filter((message) => !hasRole(message, "system")),
];

/** Templates of Mistral want the model to have spoken before the user does. */
const bridgeResults = (messages: Messages): Messages =>
  messages.flatMap((message, index) =>
    hasRole(message, "user") && hasRole(messages[index - 1], "tool")
      ? [{ role: "assistant", content: "[The results came in.]" }, message]
      : [message],
  );

export const openaiResponsesRemedies: readonly Remedy[] = [
  {
    rule: "openai/summary-verification",
    text: /must be verified to generate reasoning summaries/,
    detail: "asked without a summary: OpenAI shows summaries to verified organisations only",
    mend: (body) => editReasoning(body, (reasoning) => without(reasoning, "summary")),
  },
  {
    rule: "openai/summary-supported",
    text: /Supported values are: '(?:detailed|concise|auto)'|'reasoning\.summary'/,
    detail: "asked without a summary",
    mend: (body) => editReasoning(body, (reasoning) => without(reasoning, "summary")),
  },
  {
    rule: "openai/effort-supported",
    text: effortText,
    detail: "effort moved to the nearest the service named",
    mend: (body, match) => {
      const effort = nearestEffort(match);
      return effort === undefined
        ? body
        : editReasoning(body, (reasoning) => ({ ...reasoning, effort }));
    },
  },
  {
    rule: "openai/effort-supported",
    text: /'reasoning\.effort' is not supported with this model/,
    detail: "reasoning settings left out",
    mend: (body) => without(body, "reasoning", "include"),
  },
  dropRefused(
    "openai/encrypted-content",
    /[Ee]ncrypted content .*could not be verified|encrypted reasoning was created for a different/,
  ),
  dropRefused("openai/reasoning-follower", /was provided without its required following item/),
  dropRefused("openai/reasoning-of-item", /was provided without its required 'reasoning' item/),
  dropRefused("openai/stored-item", /Item with id '[^']+' not found\. Items are not persisted/),
  dropRefused("openai/item-not-found", /Item with id '[^']+' not found/),
  {
    rule: "openai/item-id",
    text: /Invalid 'input\[\d+\]\.id'|Duplicate item found with id/,
    detail: reasoningDropped,
    mend: dropReasoning,
  },
  dropItemField("openai/reasoning-status", /Unknown parameter: 'input\[(\d+)\]\.(status)'/),
  dropItemField("openai/item-field-unknown", /Unknown parameter: 'input\[(\d+)\]\.(\w+)'/),
  {
    rule: "openai/configuration-update",
    text: /'configuration_update' item type is not supported/,
    detail: "effort updates left out of the conversation",
    mend: (body) =>
      changed(body, "input", (input) =>
        mapObjects(input, (item) => (item["type"] === "configuration_update" ? undefined : item)),
      ),
  },
  dropSampling("openai/sampling-while-thinking"),
];

export const openaiChatRemedies: readonly Remedy[] = [
  {
    rule: "openai-chat/effort-value",
    text: effortText,
    detail: "effort moved to the nearest the service named",
    mend: (body, match) => {
      const effort = nearestEffort(match);
      return effort === undefined ? body : { ...body, reasoning_effort: effort };
    },
  },
  {
    rule: "openai-chat/effort-with-tools",
    text: /Function tools with reasoning_effort are not supported/,
    detail: "effort set to none: this model takes tools on Chat Completions only so",
    // A model that cannot be off takes no tools here; another refusal would help nobody.
    mend: (body, _, { thinking }) =>
      thinking.kind === "effort" && !thinking.efforts.includes("none")
        ? body
        : { ...body, reasoning_effort: "none" },
  },
  {
    rule: "openai-chat/forced-tool",
    text: /Thinking mode does not support this tool_choice|tool_choice .*(?:in thinking mode|with thinking enabled)|Tool choice must be auto/,
    detail: "the model chooses its tools itself: this service forces none here",
    mend: (body) => without(body, "tool_choice"),
  },
  {
    rule: "openai-chat/system-later",
    text: /Unexpected role 'system' after role/,
    detail: "system messages moved to the front",
    mend: (body) => reorder(body, systemFirst),
  },
  {
    rule: "openai-chat/user-after-tool",
    text: /Unexpected role 'user' after role 'tool'/,
    detail: "a line of text stands for the answer between tool results and the next question",
    mend: (body) => reorder(body, bridgeResults),
  },
  {
    rule: "openai-chat/effort-on-plain-model",
    text: /Unrecognized request argument supplied: reasoning_effort|'reasoning_effort' is not supported/,
    detail: "effort left out",
    mend: (body) => without(body, "reasoning_effort"),
  },
  dropSampling("openai-chat/sampling"),
];
