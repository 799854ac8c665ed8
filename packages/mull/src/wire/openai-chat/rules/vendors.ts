import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll, mapObjectsIn } from "../../common/rule-view.ts";
import { thinkingFields } from "../client/assemble.ts";
import {
  callsOf,
  defineRule,
  isThinking,
  mapMessages,
  messagesOf,
  show,
  without,
  type Violation,
} from "./define.ts";
import { forcedTool } from "./forced-tool.ts";

/** Others serve the same models without looking. */
const insistsOnReplay: ReadonlySet<string> = new Set(["deepseek", "moonshot"]);

const missesReplay = ({ model }: RuleInput, message: JsonObject): boolean =>
  message["role"] === "assistant" &&
  (model.replay === "required" || (model.replay === "tool-calls" && callsOf(message).length > 0)) &&
  insistsOnReplay.has(model.provider) &&
  !thinkingFields.some((field) => typeof message[field] === "string");

const replayRequired = (): Rule =>
  defineRule({
    id: "openai-chat/reasoning-content-required",
    summary: "DeepSeek- and Kimi-style servers want `reasoning_content` back while they think.",
    fix: "Send `reasoning_content` on these messages, empty where there was none.",
    repairSummary: "An empty `reasoning_content` is added.",
    find: (input) =>
      isThinking(input)
        ? findAll(messagesOf(input), (message, index): readonly Violation[] =>
            missesReplay(input, message) ? [missingReplay(input, index)] : [],
          )
        : [],
    repair: (input) =>
      mapMessages(input, (message) =>
        missesReplay(input, message) ? { ...message, reasoning_content: "" } : message,
      ),
  });

const missingReplay = ({ model }: RuleInput, index: number): Violation => ({
  path: `messages[${index}].reasoning_content`,
  param: null,
  code: "invalid_request_error",
  message:
    model.provider === "moonshot"
      ? `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
      : "The `reasoning_content` in the thinking mode must be passed back to the API.",
});

const hasThinking = (message: JsonObject): boolean =>
  thinkingFields.some((field) => typeof message[field] === "string") ||
  "reasoning_details" in message;

const replayForbidden = (): Rule =>
  defineRule({
    id: "openai-chat/thinking-not-taken",
    severity: "warning",
    summary: "Some servers refuse or ignore thinking that is sent back.",
    fix: "Leave the thinking out.",
    repairSummary: "The thinking is left out.",
    find: (input) =>
      input.model.replay === "forbidden"
        ? findAll(messagesOf(input), (message, index): readonly Violation[] =>
            hasThinking(message)
              ? [
                  {
                    path: `messages[${index}]`,
                    message: `${input.model.id} does not take thinking back`,
                  },
                ]
              : [],
          )
        : [],
    repair: (input) =>
      mapMessages(input, (message) => without(message, ...thinkingFields, "reasoning_details")),
  });

const images = (): Rule =>
  defineRule({
    id: "openai-chat/images",
    summary: "Models that read no images refuse them.",
    fix: "Leave the image out, or choose a model that sees.",
    find: (input) =>
      input.model.files?.images === false
        ? findAll(messagesOf(input), (message, index): readonly Violation[] => {
            const parts = message["content"];
            const at = Array.isArray(parts)
              ? parts.findIndex((part) => isJsonObject(part) && part["type"] === "image_url")
              : -1;
            if (at < 0) return [];
            return [
              {
                path: `messages[${index}].content[${at}]`,
                param: null,
                code: "invalid_request_error",
                message: `Failed to deserialize the JSON body into the target type: messages[${index}]: unknown variant \`image_url\`, expected \`text\``,
              },
            ];
          })
        : [],
  });

const isSystem = ({ role }: JsonObject): boolean => role === "system";

const systemLater = (): Rule =>
  defineRule({
    id: "openai-chat/system-later",
    summary: "Mistral and Perplexity take system messages only in front of the conversation.",
    fix: "Put the system message first.",
    repairSummary: "System messages move to the front.",
    find: (input) =>
      laterSystems(input).map(({ index, before }): Violation =>
        input.model.provider === "mistral"
          ? {
              path: `messages[${index}].role`,
              param: null,
              message: `Unexpected role 'system' after role '${before}'`,
            }
          : {
              path: `messages[${index}].role`,
              param: null,
              type: "invalid_message",
              code: "400",
              message:
                "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).",
            },
      ),
    repair: (input) => ({
      ...input.body,
      messages: [
        ...messagesOf(input).filter(isSystem),
        ...mapObjectsIn(input.body["messages"], (one) => (isSystem(one) ? undefined : one)),
      ],
    }),
  });

function laterSystems(
  input: RuleInput,
): readonly { readonly index: number; readonly before: string }[] {
  const { provider } = input.model;
  if (provider !== "mistral" && provider !== "perplexity") return [];
  const messages = messagesOf(input);
  return findAll(messages, (message, index) => {
    const before = messages[index - 1]?.["role"];
    const isLater =
      message["role"] === "system" && typeof before === "string" && before !== "system";
    return isLater && (provider === "perplexity" || before !== "user") ? [{ index, before }] : [];
  });
}

const thinkingChunks = (): Rule =>
  defineRule({
    id: "openai-chat/thinking-chunks",
    summary: "Mistral's models that do not reason refuse thinking chunks in the history.",
    fix: "Leave the thinking chunks out.",
    repairSummary: "The thinking chunks are left out.",
    find: (input) =>
      input.model.provider === "mistral" && input.model.thinking.kind === "none"
        ? findAll(messagesOf(input), (message, index): readonly Violation[] =>
            message["role"] === "assistant" &&
            Array.isArray(message["content"]) &&
            message["content"].some(isThinkingChunk)
              ? [
                  {
                    path: `messages[${index}].content`,
                    param: null,
                    type: "invalid_request_invalid_args",
                    code: "3051",
                    message: "Reasoning input is not enabled for this model",
                  },
                ]
              : [],
          )
        : [],
    repair: (input) =>
      mapMessages(input, (message) =>
        message["role"] === "assistant" && Array.isArray(message["content"])
          ? { ...message, content: message["content"].filter((chunk) => !isThinkingChunk(chunk)) }
          : message,
      ),
  });

const isThinkingChunk = (chunk: JsonValue): boolean =>
  isJsonObject(chunk) && chunk["type"] === "thinking";

const isGatewayOff = ({ body }: RuleInput): boolean => {
  const { reasoning } = body;
  return (
    isJsonObject(reasoning) && (reasoning["enabled"] === false || reasoning["effort"] === "none")
  );
};

const gatewayOff = (): Rule =>
  defineRule({
    id: "openai-chat/cannot-be-off",
    about: ["reasoning"],
    summary: "Behind OpenRouter, models without effort none refuse to have thinking turned off.",
    fix: "Ask for the lowest effort instead.",
    repairSummary: "The lowest effort is asked for.",
    find: (input) => {
      const { thinking, provider, id } = input.model;
      if (provider !== "openrouter" || thinking.kind !== "effort" || !isGatewayOff(input))
        return [];
      if (thinking.efforts.includes("none")) return [];
      const efforts = thinking.efforts.map((effort) => `'${effort}'`).join(", ");
      const message = `Provider returned error: Unsupported value: 'none' is not supported with the '${id}' model. Supported values are: ${efforts}.`;
      return [{ path: "reasoning", param: null, code: "400", message }];
    },
    repair: ({ body, model }) => ({
      ...body,
      reasoning: {
        effort: model.thinking.kind === "effort" ? model.thinking.efforts[0] : undefined,
      },
    }),
  });

const gatewayBoth = (): Rule =>
  defineRule({
    id: "openai-chat/effort-or-budget",
    about: ["reasoning"],
    summary: "OpenRouter takes an effort or a budget, not both.",
    fix: "Leave one of them out.",
    repairSummary: "The effort is left out.",
    find: ({ body }) => {
      const { reasoning } = body;
      const hasBoth =
        isJsonObject(reasoning) && reasoning["effort"] != null && reasoning["max_tokens"] != null;
      const message = 'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified';
      return hasBoth ? [{ path: "reasoning", param: null, code: "400", message }] : [];
    },
    repair: ({ body }) => ({
      ...body,
      reasoning: isJsonObject(body["reasoning"])
        ? without(body["reasoning"], "effort")
        : body["reasoning"],
    }),
  });

const rawWithTools = (): Rule =>
  defineRule({
    id: "openai-chat/raw-with-tools",
    about: ["reasoning_format"],
    summary: "Groq takes reasoning_format raw neither with tools nor with JSON mode.",
    fix: "Use reasoning_format parsed.",
    repairSummary: "reasoning_format becomes parsed.",
    find: ({ body }) =>
      body["reasoning_format"] === "raw" &&
      (Array.isArray(body["tools"]) || isJsonObject(body["response_format"]))
        ? [
            {
              path: "reasoning_format",
              message: "reasoning_format `raw` is not supported with tools or JSON mode",
            },
          ]
        : [],
    repair: ({ body }) => ({ ...body, reasoning_format: "parsed" }),
  });

const oneChoice = (): Rule =>
  defineRule({
    id: "openai-chat/one-choice",
    about: ["n"],
    summary: "Groq gives one answer to a request.",
    fix: "Leave `n` out and ask as often as needed.",
    repairSummary: "`n` is left out.",
    find: ({ body, model }) =>
      model.provider === "groq" && typeof body["n"] === "number" && body["n"] > 1
        ? [{ path: "n", param: null, message: "'n' : number must be at most 1" }]
        : [],
    repair: ({ body }) => without(body, "n"),
  });

const seals = (): Rule =>
  defineRule({
    id: "openai-chat/seal",
    summary: "Signatures go back unchanged to the model that made them.",
    fix: "Leave out the thinking the signature belongs to.",
    isSlow: true,
    find: (input) =>
      findAll(messagesOf(input), (message, index) => [
        ...findBadDetails(
          input,
          message["reasoning_details"],
          `messages[${index}].reasoning_details`,
        ),
        ...callsOf(message).flatMap((call, at) =>
          findBadSignature(
            input,
            call["extra_content"],
            `messages[${index}].tool_calls[${at}].extra_content`,
          ),
        ),
        ...findBadSignature(input, message["extra_content"], `messages[${index}].extra_content`),
      ]),
  });

function findBadDetails(
  input: RuleInput,
  details: JsonValue | undefined,
  path: string,
): readonly Violation[] {
  return (Array.isArray(details) ? details : []).flatMap((detail: JsonValue, index) => {
    if (!isJsonObject(detail)) return [];
    const seal = detail["signature"] || detail["data"];
    if (typeof seal !== "string") return [];
    const at = `${path}[${index}]`;
    const verdict = input.verifySeal?.(seal, at, show(detail["type"])) ?? "ok";
    if (verdict === "ok" || verdict === "unknown") return [];
    return [
      { path: at, param: null, code: "400", message: "Invalid `signature` in `thinking` block" },
    ];
  });
}

function findBadSignature(
  input: RuleInput,
  extra: JsonValue | undefined,
  path: string,
): readonly Violation[] {
  const google = isJsonObject(extra) ? extra["google"] : undefined;
  const seal = isJsonObject(google) ? google["thought_signature"] : undefined;
  if (typeof seal !== "string") return [];
  const at = `${path}.google.thought_signature`;
  const verdict = input.verifySeal?.(seal, at, "thought_signature") ?? "ok";
  return verdict === "invalid" || verdict === "foreign-prefix"
    ? [{ path: at, param: null, code: "400", message: "Thought signature is not valid" }]
    : [];
}

export const vendorRules = (): readonly Rule[] => [
  replayRequired(),
  replayForbidden(),
  forcedTool,
  images(),
  systemLater(),
  thinkingChunks(),
  gatewayOff(),
  gatewayBoth(),
  rawWithTools(),
  oneChoice(),
  seals(),
];
