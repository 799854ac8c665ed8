import { isJsonObject, type JsonObject, type JsonValue } from "../types/json.ts";
import { rulesOf } from "../rules/rules-of.ts";
import { efforts } from "../types/model.ts";
import type { Remedy } from "./heal.ts";
import { changed, mapObjects, nearestWord, without } from "./json-edit.ts";

const isThinking = (block: JsonObject): boolean =>
  block["type"] === "thinking" || block["type"] === "redacted_thinking";

/** Removes every thinking block: taking out only some would break the ones after them. */
const stripThinking = (body: JsonObject): JsonObject =>
  changed(body, "messages", (messages) =>
    mapObjects(messages, (message) => {
      if (message["role"] !== "assistant") return message;
      const stripped = changed(message, "content", (content) =>
        mapObjects(content, (block) => (isThinking(block) ? undefined : block)),
      );
      return isEmpty(stripped["content"]) ? undefined : stripped;
    }),
  );

const isEmpty = (content: JsonValue | undefined): boolean =>
  Array.isArray(content) && content.length === 0;

/** Budget thinking insists on a leading block, so it goes together with the blocks. */
const stripAndDisable = (body: JsonObject): JsonObject => {
  const stripped = stripThinking(body);
  const { thinking } = stripped;
  return isJsonObject(thinking) && thinking["type"] === "enabled"
    ? { ...stripped, thinking: { type: "disabled" } }
    : stripped;
};

const setEffort = (body: JsonObject, effort: string): JsonObject => ({
  ...body,
  output_config: { ...(isJsonObject(body["output_config"]) && body["output_config"]), effort },
});

const effortOf = (body: JsonObject): string => {
  const config = body["output_config"];
  return isJsonObject(config) && typeof config["effort"] === "string" ? config["effort"] : "high";
};

const dropEffort = (body: JsonObject): JsonObject =>
  changed(body, "output_config", (config) => {
    const rest = isJsonObject(config) ? without(config, "effort") : {};
    return Object.keys(rest).length === 0 ? undefined : rest;
  });

/** What the rule itself does about it: one repair, whether it was foreseen or refused. */
const byRule =
  (id: string): Remedy["mend"] =>
  (body, _, model) => {
    const rule = rulesOf("anthropic-messages").find((each) => each.id === id);
    const input = { wire: "anthropic-messages" as const, model, path: "", headers: {}, body };
    return rule?.repair?.(input) ?? body;
  };

const strippedDetail = "thinking blocks left out of this request; they stay in the history";

export const anthropicRemedies: readonly Remedy[] = [
  {
    rule: "anthropic/prefix-binding",
    refusesSeals: true,
    text: /bound to a different conversation/,
    detail: strippedDetail,
    mend: stripAndDisable,
  },
  {
    rule: "anthropic/signature",
    refusesSeals: true,
    text: /Invalid `?'?signature'?`? in `?'?thinking'?`? block/,
    detail: strippedDetail,
    mend: stripAndDisable,
  },
  {
    rule: "anthropic/leading-thinking",
    text: /Expected `?'?thinking'?`? or `?'?redacted_thinking'?`?, but found/,
    detail: "thinking is off for this request, and its blocks are left out",
    mend: stripAndDisable,
  },
  {
    rule: "anthropic/latest-blocks-unmodified",
    refusesSeals: true,
    text: /blocks in the latest assistant message cannot be modified/,
    detail: strippedDetail,
    mend: stripAndDisable,
  },
  {
    rule: "anthropic/signature-required",
    refusesSeals: true,
    text: /thinking\.(?:signature|thinking): Field required/,
    detail: strippedDetail,
    mend: stripAndDisable,
  },
  {
    rule: "anthropic/trailing-thinking",
    text: /final block in an assistant message cannot be/,
    detail: strippedDetail,
    mend: stripAndDisable,
  },
  {
    rule: "anthropic/thinking-while-disabled",
    text: /When thinking is disabled, an `?'?assistant'?`? message/,
    detail: strippedDetail,
    mend: stripThinking,
  },
  {
    rule: "anthropic/budget-unsupported",
    text: /thinking\.type\.enabled" is not supported/,
    detail: "adaptive thinking asked for instead of a budget",
    mend: byRule("anthropic/budget-unsupported"),
  },
  {
    rule: "anthropic/disabled-unsupported",
    text: /thinking\.type\.disabled" is not supported/,
    detail: "this model cannot turn thinking off: the lowest effort is sent",
    mend: (body) => setEffort(without(body, "thinking"), "low"),
  },
  {
    rule: "anthropic/adaptive-unsupported",
    text: /adaptive thinking is not supported/,
    detail: "adaptive thinking and effort left out",
    mend: (body) => dropEffort(without(body, "thinking")),
  },
  {
    rule: "anthropic/effort-while-disabled",
    text: /is not supported when thinking is disabled/,
    detail: "effort lowered to high",
    mend: (body) => setEffort(body, "high"),
  },
  {
    rule: "anthropic/effort-level",
    text: /does not support effort level '([^']+)'\. Supported levels: ([^.]+)/,
    detail: "effort moved to the nearest the service named",
    mend: (body, match) => {
      const word = nearestWord(match[1] ?? effortOf(body), (match[2] ?? "").split(/,\s*/), efforts);
      return word === undefined ? dropEffort(body) : setEffort(body, word);
    },
  },
  {
    rule: "anthropic/effort-unsupported",
    text: /does not support the effort parameter/,
    detail: "effort left out",
    mend: dropEffort,
  },
  {
    rule: "anthropic/binding-controls",
    text: /block_binding: Extra inputs are not permitted/,
    detail: "block_binding left out",
    mend: (body) =>
      changed(body, "thinking", (thinking) =>
        isJsonObject(thinking) ? without(thinking, "block_binding") : thinking,
      ),
  },
  {
    rule: "anthropic/sampling",
    text: /`(temperature|top_k|top_p)` (?:may only be set|must be|is deprecated)/,
    detail: "sampling parameters left out",
    mend: (body) => without(body, "temperature", "top_k", "top_p"),
  },
  {
    rule: "anthropic/tool-choice",
    text: /tool_choice forces tool use|"tool" and "any" are not supported/,
    detail: "tool choice set to auto",
    mend: (body) => ({ ...body, tool_choice: { type: "auto" } }),
  },
];
