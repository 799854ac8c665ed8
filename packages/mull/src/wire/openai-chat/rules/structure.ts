import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll } from "../../common/rule-view.ts";
import {
  callsOf,
  defineRule,
  isOpenai,
  isSomething,
  kindOf,
  listValues,
  messagesOf,
  toolsOf,
  without,
  show,
  type Violation,
} from "./define.ts";

const roles = ["system", "assistant", "user", "function", "tool", "developer"];
const partTypes = ["text", "image_url", "input_audio", "refusal", "audio", "file"];

const model = (): Rule =>
  defineRule({
    id: "openai-chat/model",
    summary: "Every request names a model.",
    fix: "Set `model`.",
    find: ({ body, model: row }) =>
      // Azure names the deployment in the address.
      (typeof body["model"] === "string" && body["model"] !== "") || row.provider === "azure"
        ? []
        : [{ path: "model", param: null, message: "you must provide a model parameter" }],
  });

const served = (): Rule =>
  defineRule({
    id: "openai-chat/served-model",
    summary: "Models that were shut down, or never existed, are not found.",
    fix: "Choose the successor.",
    find: ({ model: row }) =>
      row.status === "retired" || row.status === "never-served"
        ? [
            {
              path: "model",
              param: null,
              status: 404,
              code: "model_not_found",
              message: `The model \`${row.id}\` does not exist or you do not have access to it.`,
            },
          ]
        : [],
  });

const messages = (): Rule =>
  defineRule({
    id: "openai-chat/messages",
    summary: "`messages` is a list with at least one message.",
    fix: "Send at least one message.",
    find: ({ body }) => {
      const list = body["messages"];
      const path = "messages";
      if (list === undefined) {
        return [
          {
            path,
            message: "Missing required parameter: 'messages'.",
            code: "missing_required_parameter",
          },
        ];
      }
      if (!Array.isArray(list)) {
        const message = `Invalid type for 'messages': expected an array of objects, but got ${kindOf(list)} instead.`;
        return [{ path, message, code: "invalid_type" }];
      }
      if (list.length > 0) return [];
      const message =
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
      return [{ path, message, code: "empty_array" }];
    },
  });

const role = (): Rule =>
  defineRule({
    id: "openai-chat/role",
    summary: "Messages have a known role.",
    fix: "Use one of the roles listed.",
    find: (input) =>
      findAll(messagesOf(input), (message, index): readonly Violation[] => {
        if (roles.some((known) => known === message["role"])) return [];
        const path = `messages[${index}].role`;
        if (!isSomething(message["role"])) {
          const text = `Missing required parameter: '${path}'.`;
          return [{ path, message: text, code: "missing_required_parameter" }];
        }
        const text = `Invalid value: '${show(message["role"])}'. Supported values are: ${listValues(roles)}.`;
        return [{ path, message: text, code: "invalid_value" }];
      }),
  });

const content = (): Rule =>
  defineRule({
    id: "openai-chat/content",
    summary:
      "Content is a text or a list of content parts; only assistant messages with calls may lack it.",
    fix: "Send a string, or a list of objects.",
    find: (input) => findAll(messagesOf(input), findContent),
  });

function findContent(message: JsonObject, index: number): readonly Violation[] {
  const value = message["content"];
  if (typeof value === "string") return [];
  const path = `messages[${index}].content`;
  if (Array.isArray(value)) {
    return value.flatMap((part: JsonValue, at) =>
      isJsonObject(part)
        ? []
        : [
            {
              path: `${path}[${at}]`,
              message: `Invalid type for '${path}[${at}]': expected an object, but got ${kindOf(part)} instead.`,
              code: "invalid_type",
            },
          ],
    );
  }
  if (value === null || value === undefined) {
    const mayLack =
      message["role"] === "assistant" &&
      Object.keys(message).some((name) => name !== "role" && isSomething(message[name]));
    if (mayLack) return [];
    const text = "Invalid value for 'content': expected a string, got null.";
    return [{ path, param: `messages.[${index}].content`, message: text }];
  }
  const text = `Invalid type for '${path}': expected one of a string or array of objects, but got ${kindOf(value)} instead.`;
  return [{ path, message: text, code: "invalid_type" }];
}

const partType = (): Rule =>
  defineRule({
    id: "openai-chat/content-part",
    summary: "OpenAI knows a fixed list of content parts.",
    fix: "Leave the part out.",
    find: (input) =>
      isOpenai(input.model)
        ? eachPart(input, (part, path) =>
            partTypes.some((known) => known === part["type"])
              ? []
              : [
                  {
                    path: `${path}.type`,
                    message: `Invalid value: '${show(part["type"])}'. Supported values are: ${listValues(partTypes)}.`,
                    code: "invalid_value",
                  },
                ],
          )
        : [],
  });

const file = (): Rule =>
  defineRule({
    id: "openai-chat/file",
    summary: "A file is given by id, or as a data URL with its file name.",
    fix: "Send `filename` and a `data:` URL in `file_data`.",
    find: (input) =>
      isOpenai(input.model)
        ? eachPart(input, (part, path) => {
            const given = part["file"];
            if (part["type"] !== "file" || !isJsonObject(given)) return [];
            const isGiven =
              isSomething(given["file_id"]) ||
              (isSomething(given["file_data"]) && isSomething(given["filename"]));
            const at = `${path}.file.file_id`;
            return isGiven
              ? []
              : [
                  {
                    path: at,
                    message: `Missing required parameter: '${at}'.`,
                    code: "missing_required_parameter",
                  },
                ];
          })
        : [],
  });

function eachPart(
  input: RuleInput,
  find: (part: JsonObject, path: string) => readonly Violation[],
): readonly Violation[] {
  return findAll(messagesOf(input), (message, index) => {
    const parts = message["content"];
    if (!Array.isArray(parts)) return [];
    return parts.flatMap((part: JsonValue, at) =>
      isJsonObject(part) ? find(part, `messages[${index}].content[${at}]`) : [],
    );
  });
}

interface NumberField {
  readonly name: string;
  readonly kind: "integer" | "decimal";
  readonly min: number;
  readonly max: number;
  /** Other servers have other bounds. */
  readonly isOpenais?: true;
}

const numbers: readonly NumberField[] = [
  { name: "temperature", kind: "decimal", min: 0, max: 2 },
  { name: "top_p", kind: "decimal", min: 0, max: 1 },
  { name: "max_tokens", kind: "integer", min: 1, max: Number.POSITIVE_INFINITY },
  { name: "max_completion_tokens", kind: "integer", min: 1, max: Number.POSITIVE_INFINITY },
  { name: "n", kind: "integer", min: 1, max: 128, isOpenais: true },
  { name: "top_logprobs", kind: "integer", min: 0, max: 20, isOpenais: true },
  { name: "frequency_penalty", kind: "decimal", min: -2, max: 2, isOpenais: true },
  { name: "presence_penalty", kind: "decimal", min: -2, max: 2, isOpenais: true },
  { name: "seed", kind: "integer", min: -(2 ** 63), max: 2 ** 63, isOpenais: true },
];

const numeric = (): Rule =>
  defineRule({
    id: "openai-chat/numbers",
    about: numbers.map(({ name }) => name),
    summary: "Sampling parameters and caps are numbers within their range.",
    fix: "Send a number within the range.",
    find: ({ body, model: row }) =>
      numbers.flatMap((field) =>
        field.isOpenais && !isOpenai(row) ? [] : findNumber(field, body[field.name]),
      ),
  });

function findNumber({ name, kind, min, max }: NumberField, value: unknown): readonly Violation[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "number") {
    const wanted = kind === "integer" ? "an integer" : "a decimal";
    const message = `Invalid type for '${name}': expected ${wanted}, but got ${kindOf(value)} instead.`;
    return [{ path: name, message, code: "invalid_type" }];
  }
  if (kind === "integer" && !Number.isInteger(value)) {
    const message = `Invalid type for '${name}': expected an integer, but got a decimal number instead.`;
    return [{ path: name, message, code: "invalid_type" }];
  }
  if (value >= min && value <= max) return [];
  const isLow = value < min;
  const message =
    `Invalid '${name}': ${kind} ${isLow ? "below minimum" : "above maximum"} value. ` +
    `Expected a value ${isLow ? `>= ${min}` : `<= ${max}`}, but got ${value} instead.`;
  return [{ path: name, message, code: `${kind}_${isLow ? "below_min" : "above_max"}_value` }];
}

const toolName = (): Rule =>
  defineRule({
    id: "openai-chat/tool-name",
    summary: "Names of functions are up to 64 letters, digits, underscores and dashes.",
    fix: "Rename the tool.",
    find: (input) => [
      ...toolsOf(input).flatMap((tool, index) =>
        findName(tool["function"], `tools[${index}].function.name`),
      ),
      ...findAll(messagesOf(input), (message, index) =>
        findAll(callsOf(message), (call, at) =>
          findName(call["function"], `messages[${index}].tool_calls[${at}].function.name`),
        ),
      ),
    ],
  });

function findName(body: JsonValue | undefined, path: string): readonly Violation[] {
  const name = isJsonObject(body) ? body["name"] : undefined;
  if (typeof name !== "string") return [];
  if (name.length > 64) {
    const message = `Invalid '${path}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`;
    return [{ path, message, code: "string_above_max_length" }];
  }
  if (/^[\w-]+$/.test(name)) return [];
  const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  return [{ path, message, code: "invalid_value" }];
}

const toolChoice = (): Rule =>
  defineRule({
    id: "openai-chat/tool-choice",
    about: ["tool_choice"],
    summary: "`tool_choice` needs tools.",
    fix: "Leave `tool_choice` out.",
    repairSummary: "`tool_choice` is left out.",
    find: (input) =>
      isOpenai(input.model) && isSomething(input.body["tool_choice"]) && toolsOf(input).length === 0
        ? [
            {
              path: "tool_choice",
              message:
                "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
            },
          ]
        : [],
    repair: ({ body }) => without(body, "tool_choice"),
  });

export const structureRules = (): readonly Rule[] => [
  model(),
  served(),
  messages(),
  role(),
  content(),
  partType(),
  file(),
  numeric(),
  toolName(),
  toolChoice(),
];
