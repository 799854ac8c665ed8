import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObject, asObjects, asText, without } from "../../common/json-reading.ts";
import {
  cheap,
  mapObjectsIn,
  type RuleFault,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { effortsOf } from "../../common/rules/openai-words.ts";
import { thinkingFields } from "../client/assemble.ts";
import { callsOf, isThinking, mapMessages, messagesOf } from "./view.ts";

const isForced = (choice: JsonValue | undefined): boolean =>
  choice === "required" || choice === "any" || isJsonObject(choice);

/** What the vendors answer to a tool choice that they refuse; `$1` is how it was forced. */
const forcedToolWords: ReadonlyMap<string, string> = new Map([
  ["deepseek", "Thinking mode does not support this tool_choice"],
  [
    "qwen",
    "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
  ],
  ["moonshot", "tool_choice '$1' is incompatible with thinking enabled"],
  ["zai", "Tool choice must be auto"],
]);

/** Whether the model refuses the choice. The limits are of the vendors' own servers; other hosts of the same models accept it. */
const refusesChoice = (input: RuleInput, choice: JsonValue | undefined): boolean => {
  const { toolChoice: limit } = input.model;
  if (!isForced(choice)) return false;
  if (limit === "auto-only") return true;
  const isLimited = limit === "not-thinking" || (limit === "not-named" && isJsonObject(choice));
  return isLimited && isThinking(input);
};

/** Only these two check; other hosts of the same models do not. */
const insistsOnReplay: ReadonlySet<string> = new Set(["deepseek", "moonshot"]);

const missesReplay = ({ model }: RuleInput, message: JsonObject): boolean =>
  message["role"] === "assistant" &&
  (model.replay === "required" || (model.replay === "tool-calls" && callsOf(message).length > 0)) &&
  insistsOnReplay.has(model.provider) &&
  !thinkingFields.some((field) => typeof message[field] === "string");

const hasThinking = (message: JsonObject): boolean =>
  thinkingFields.some((field) => typeof message[field] === "string") ||
  "reasoning_details" in message;

const isSystem = ({ role }: JsonObject): boolean => role === "system";
const isThinkingChunk = (chunk: JsonValue): boolean => asObject(chunk)["type"] === "thinking";

/** System messages that come after other messages, with the role before each. */
const laterSystems = (input: RuleInput): readonly { index: number; before: string }[] =>
  messagesOf(input).flatMap((message, index, messages) => {
    const before = asText(messages[index - 1]?.["role"]);
    const isLater = isSystem(message) && before !== "" && before !== "system";
    const isTaken = input.model.provider === "mistral" && before === "user";
    return isLater && !isTaken ? { index, before } : [];
  });

const isGatewayOff = ({ body }: RuleInput): boolean => {
  const { enabled, effort } = asObject(body["reasoning"]);
  return enabled === false || effort === "none";
};

/** A refusal of a server other than OpenAI's, which names no parameter. */
const vendorFault = (path: string, message: string, code = "invalid_request_error"): RuleFault => ({
  path,
  message,
  param: null,
  code,
});

const gatewayFault = (path: string, message: string): RuleFault =>
  vendorFault(path, message, "400");

/** A seal that the service does not open. */
function isBad(input: RuleInput, seal: JsonValue | undefined, at: string, kind: string): boolean {
  const verdict = asText(seal) && input.verifySeal?.(asText(seal), at, kind);
  return verdict === "invalid" || verdict === "foreign-prefix";
}

const findBadDetails = (input: RuleInput, details: unknown, path: string): RuleFound =>
  asObjects(details).map(({ signature, data, type }, index) => {
    const at = `${path}[${index}]`;
    const words = "Invalid `signature` in `thinking` block";
    return isBad(input, signature || data, at, asText(type)) && gatewayFault(at, words);
  });

function findBadSignature(input: RuleInput, extra: unknown, path: string): RuleFound {
  const { thought_signature: seal } = asObject(asObject(extra)["google"]);
  const at = `${path}.google.thought_signature`;
  const words = "Thought signature is not valid";
  return isBad(input, seal, at, "thought_signature") && gatewayFault(at, words);
}

/** Thinking sent back, as each server wants it. */
export const vendorRules: RuleTable = {
  "openai-chat/reasoning-content-required": cheap({
    summary: "DeepSeek- and Kimi-style servers want `reasoning_content` back while they think.",
    fix: "Send `reasoning_content` on these messages, empty if there was none.",
    repairSummary: "Add an empty `reasoning_content`.",
    when: isThinking,
    find: (input) =>
      messagesOf(input).map((message, index) => {
        const words =
          input.model.provider === "moonshot"
            ? `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
            : "The `reasoning_content` in the thinking mode must be passed back to the API.";
        const path = `messages[${index}].reasoning_content`;
        return missesReplay(input, message) && vendorFault(path, words);
      }),
    repair: (input) =>
      mapMessages(input, (message) =>
        missesReplay(input, message) ? { ...message, reasoning_content: "" } : message,
      ),
  }),
  "openai-chat/thinking-not-taken": cheap({
    severity: "warning",
    summary: "Some servers refuse or ignore thinking that is sent back.",
    says: (_, { model }) => `${model.id} does not take thinking back`,
    repairSummary: "Leave the thinking out.",
    when: ({ model }) => model.replay === "forbidden",
    find: (input) =>
      messagesOf(input).map((message, index) => hasThinking(message) && `messages[${index}]`),
    repair: (input) =>
      mapMessages(input, (message) => without(message, ...thinkingFields, "reasoning_details")),
  }),
  "openai-chat/forced-tool": cheap({
    summary:
      "DeepSeek, Qwen and Kimi take no forced tool choice while they think (Kimi K3: none by name); GLM never takes one.",
    fix: "Let the model choose, or turn thinking off.",
    refusal:
      /Thinking mode does not support this tool_choice|tool_choice .*(?:in thinking mode|with thinking enabled)|Tool choice must be auto/,
    find: (input) => {
      const choice = input.body["tool_choice"];
      const words = forcedToolWords.get(input.model.provider);
      const message = words?.replace("$1", isJsonObject(choice) ? "specified" : "required");
      return (
        message !== undefined && refusesChoice(input, choice) && vendorFault("tool_choice", message)
      );
    },
    drops: ["tool_choice"],
  }),
  "openai-chat/images": cheap({
    summary: "Models that can't read images refuse them.",
    fix: "Leave the image out, or choose a model that reads images.",
    when: ({ model }) => model.files?.images === false,
    find: (input) =>
      messagesOf(input).map(({ content }, index) => {
        const parts = Array.isArray(content) ? content : [];
        const at = parts.findIndex((part) => asObject(part)["type"] === "image_url");
        const message = `Failed to deserialize the JSON body into the target type: messages[${index}]: unknown variant \`image_url\`, expected \`text\``;
        return at >= 0 && vendorFault(`messages[${index}].content[${at}]`, message);
      }),
  }),
  "openai-chat/system-later": cheap({
    summary: "Mistral and Perplexity take system messages only before the conversation.",
    repairSummary: "Move system messages to the front.",
    refusal: /Unexpected role 'system' after role/,
    when: ({ model }) => ["mistral", "perplexity"].includes(model.provider),
    find: (input) =>
      laterSystems(input).map(({ index, before }) => ({
        path: `messages[${index}].role`,
        param: null,
        ...(input.model.provider === "mistral"
          ? { message: `Unexpected role 'system' after role '${before}'` }
          : {
              type: "invalid_message",
              code: "400",
              message:
                "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).",
            }),
      })),
    repair: (input) => ({
      ...input.body,
      messages: [
        ...messagesOf(input).filter(isSystem),
        ...mapObjectsIn(input.body["messages"], (one) => (isSystem(one) ? undefined : one)),
      ],
    }),
  }),
  "openai-chat/user-after-tool": {
    summary:
      "Mistral's templates want a model's answer between tool results and a question. Only the service can tell.",
    fix: "Put an answer between the tool results and the next question.",
    repairSummary:
      "Put a line of text between the results and the question, as the model's answer.",
    refusal: /Unexpected role 'user' after role 'tool'/,
    repair: (input) => {
      const messages = messagesOf(input);
      return mapMessages(input, (message, index) =>
        message["role"] === "user" && messages[index - 1]?.["role"] === "tool"
          ? [{ role: "assistant", content: "[The results came in.]" }, message]
          : message,
      );
    },
  },
  "openai-chat/thinking-chunks": cheap({
    summary: "Mistral's models that don't reason refuse thinking chunks in the history.",
    repairSummary: "Leave the thinking chunks out.",
    when: ({ model }) => model.provider === "mistral" && model.thinking.kind === "none",
    find: (input) =>
      messagesOf(input).map(
        ({ role, content }, index) =>
          role === "assistant" &&
          asObjects(content).some(isThinkingChunk) && {
            path: `messages[${index}].content`,
            param: null,
            type: "invalid_request_invalid_args",
            code: "3051",
            message: "Reasoning input is not enabled for this model",
          },
      ),
    repair: (input) =>
      mapMessages(input, (message) =>
        message["role"] === "assistant" && Array.isArray(message["content"])
          ? { ...message, content: message["content"].filter((chunk) => !isThinkingChunk(chunk)) }
          : message,
      ),
  }),
  "openai-chat/cannot-be-off": cheap({
    summary: "On OpenRouter, models without the effort none can't have thinking turned off.",
    repairSummary: "Ask for the lowest effort.",
    when: (input) => input.model.provider === "openrouter" && isGatewayOff(input),
    find: ({ model: { thinking, id } }) => {
      if (thinking.kind !== "effort" || thinking.efforts.includes("none")) return [];
      const efforts = thinking.efforts.map((effort) => `'${effort}'`).join(", ");
      const message = `Provider returned error: Unsupported value: 'none' is not supported with the '${id}' model. Supported values are: ${efforts}.`;
      return gatewayFault("reasoning", message);
    },
    repair: (input) => ({ ...input.body, reasoning: { effort: effortsOf(input.model)[0] } }),
  }),
  "openai-chat/effort-or-budget": cheap({
    summary: "OpenRouter takes an effort or a budget, not both.",
    fix: "Leave one of them out.",
    find: ({ body }) => {
      const { effort, max_tokens: budget } = asObject(body["reasoning"]);
      const message = 'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified';
      return effort != null && budget != null && gatewayFault("reasoning", message);
    },
    drops: ["reasoning.effort"],
  }),
  "openai-chat/raw-with-tools": cheap({
    summary: "Groq takes `reasoning_format` raw neither with tools nor with JSON mode.",
    says: "reasoning_format `raw` is not supported with tools or JSON mode",
    repairSummary: "Set `reasoning_format` to parsed.",
    find: ({ body: { reasoning_format: format, tools, response_format: output } }) =>
      format === "raw" && (Array.isArray(tools) || isJsonObject(output)) && "reasoning_format",
    repair: ({ body }) => ({ ...body, reasoning_format: "parsed" }),
  }),
  "openai-chat/one-choice": cheap({
    summary: "Groq gives one answer to a request.",
    fix: "Leave `n` out and ask as often as needed.",
    when: ({ model }) => model.provider === "groq",
    find: ({ body: { n } }) =>
      typeof n === "number" &&
      n > 1 && { path: "n", param: null, message: "'n' : number must be at most 1" },
    drops: ["n"],
  }),
  "openai-chat/seal": {
    summary: "Signatures go back unchanged to the model that made them.",
    fix: "Leave out the thinking the signature belongs to.",
    find: (input) =>
      messagesOf(input).map((message, index) => {
        const path = `messages[${index}]`;
        return [
          findBadDetails(input, message["reasoning_details"], `${path}.reasoning_details`),
          callsOf(message).map((call, at) =>
            findBadSignature(
              input,
              call["extra_content"],
              `${path}.tool_calls[${at}].extra_content`,
            ),
          ),
          findBadSignature(input, message["extra_content"], `${path}.extra_content`),
        ];
      }),
  },
};
