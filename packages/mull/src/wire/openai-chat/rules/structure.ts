import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { fitCallName } from "../../common/call-name.ts";
import {
  cheap,
  mapObjectsIn,
  withIn,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import {
  badName,
  invalidValue,
  missing,
  outOfRange,
  wrongType,
} from "../../common/rules/openai-words.ts";
import { callsOf, isOpenai, mapMessages, messagesOf, partsOf, toolsOf } from "./view.ts";

const roles = ["system", "assistant", "user", "function", "tool", "developer"];
const partTypes = ["text", "image_url", "input_audio", "refusal", "audio", "file"];

function findContent(message: JsonObject, index: number): RuleFound {
  const { content, role } = message;
  const path = `messages[${index}].content`;
  if (typeof content === "string") return [];
  if (Array.isArray(content)) {
    return content.map(
      (part, at) => !isJsonObject(part) && wrongType(`${path}[${at}]`, "an object", part),
    );
  }
  if (content != null) return wrongType(path, "one of a string or array of objects", content);
  const mayLack =
    role === "assistant" &&
    Object.keys(message).some((name) => name !== "role" && message[name] != null);
  const words = "Invalid value for 'content': expected a string, got null.";
  return !mayLack && { path, param: `messages.[${index}].content`, message: words };
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

function findNumber({ name, kind, min, max }: NumberField, value: unknown): RuleFound {
  if (value == null) return [];
  const wanted = kind === "integer" ? "an integer" : "a decimal";
  if (typeof value !== "number") return wrongType(name, wanted, value);
  if (kind === "integer" && !Number.isInteger(value)) {
    const message = `Invalid type for '${name}': expected an integer, but got a decimal number instead.`;
    return { path: name, message, code: "invalid_type" };
  }
  return outOfRange(name, kind, value, min, max);
}

const isTexts = (value: JsonValue): boolean =>
  [value].flat().every((each) => typeof each === "string");

/** What top-level fields hold beside numbers. */
const findTypes = ({ stop, tools, messages }: JsonObject): RuleFound => [
  stop != null && !isTexts(stop) && wrongType("stop", "one of an array of strings or string", stop),
  tools != null && !Array.isArray(tools) && wrongType("tools", "an array of objects", tools),
  Array.isArray(messages) &&
    messages.map(
      (message: JsonValue, at) =>
        !isJsonObject(message) && wrongType(`messages[${at}]`, "an object", message),
    ),
];

const findName = (body: unknown, path: string): RuleFound => {
  const { name } = asObject(body);
  return typeof name === "string" && badName(path, name);
};

const withFitName = (call: JsonObject): JsonObject => {
  const { name } = asObject(call["function"]);
  return typeof name === "string" ? withIn(call, "function", { name: fitCallName(name) }) : call;
};

export const structureRules: RuleTable = {
  "openai-chat/model": cheap({
    summary: "Every request names a model.",
    fix: "Set `model`.",
    find: ({ body, model }) =>
      asText(body["model"]) === "" &&
      // Azure names the deployment in the address.
      model.provider !== "azure" && {
        path: "model",
        param: null,
        message: "you must provide a model parameter",
      },
  }),
  "openai-chat/served-model": cheap({
    summary: "The model exists, and hasn't been shut down.",
    fix: "Choose the successor.",
    find: ({ model: { status, id } }) =>
      (status === "retired" || status === "never-served") && {
        path: "model",
        param: null,
        status: 404,
        code: "model_not_found",
        message: `The model \`${id}\` does not exist or you do not have access to it.`,
      },
  }),
  "openai-chat/messages": cheap({
    summary: "`messages` is a list with at least one message.",
    fix: "Send at least one message.",
    find: ({ body: { messages } }) => {
      if (messages === undefined) return missing("messages");
      if (!Array.isArray(messages)) return wrongType("messages", "an array of objects", messages);
      const message =
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
      return messages.length === 0 && { path: "messages", message, code: "empty_array" };
    },
  }),
  "openai-chat/role": cheap({
    summary: "Messages have a known role.",
    fix: "Use one of the roles listed.",
    find: (input) =>
      messagesOf(input).map(({ role }, index) => {
        const path = `messages[${index}].role`;
        if (role == null) return missing(path);
        return !roles.some((known) => known === role) && invalidValue(path, role, roles);
      }),
  }),
  "openai-chat/content": cheap({
    summary:
      "Content is a string or a list of content parts; only assistant messages with calls may lack it.",
    fix: "Send a string, or a list of objects.",
    find: (input) => messagesOf(input).map(findContent),
  }),
  "openai-chat/content-part": cheap({
    summary: "OpenAI knows a fixed list of content parts.",
    fix: "Leave the part out.",
    when: ({ model }) => isOpenai(model),
    find: (input) =>
      partsOf(input).map(
        ({ part: { type }, path }) =>
          !partTypes.some((known) => known === type) &&
          invalidValue(`${path}.type`, type, partTypes),
      ),
  }),
  "openai-chat/file": cheap({
    summary: "A file is given by id, or as a data URL with its file name.",
    fix: "Send `filename` and a `data:` URL in `file_data`.",
    when: ({ model }) => isOpenai(model),
    find: (input) =>
      partsOf(input).map(({ part: { type, file }, path }) => {
        const { file_id: id, file_data: data, filename } = asObject(file);
        const isGiven = id != null || (data != null && filename != null);
        return type === "file" && isJsonObject(file) && !isGiven && missing(`${path}.file.file_id`);
      }),
  }),
  "openai-chat/field-types": cheap({
    summary: "Messages and tools are lists of objects, and stop sequences are strings.",
    fix: "Send a value of the type named.",
    find: ({ body }) => findTypes(body),
  }),
  "openai-chat/numbers": cheap({
    summary: "Sampling parameters and caps are numbers within their range.",
    fix: "Send a number within the range.",
    find: ({ body, model }) =>
      numbers
        .filter(({ isOpenais }) => !isOpenais || isOpenai(model))
        .map((field) => findNumber(field, body[field.name])),
  }),
  "openai-chat/tool-name": cheap({
    summary: "Names of functions have at most 64 letters, digits, underscores and dashes.",
    fix: "Rename the tool.",
    find: (input) =>
      toolsOf(input).map((tool, index) =>
        findName(tool["function"], `tools[${index}].function.name`),
      ),
  }),
  "openai-chat/call-name": cheap({
    summary: "Names of calls have at most 64 letters, digits, underscores and dashes.",
    repairSummary: "Replace other characters of the name by underscores.",
    refusal: /Invalid 'messages\[\d+\]\.tool_calls\[\d+\]\.function\.name'/,
    find: (input) =>
      messagesOf(input).map((message, index) =>
        callsOf(message).map((call, at) =>
          findName(call["function"], `messages[${index}].tool_calls[${at}].function.name`),
        ),
      ),
    repair: (input) =>
      mapMessages(input, (message) =>
        Array.isArray(message["tool_calls"])
          ? { ...message, tool_calls: mapObjectsIn(message["tool_calls"], withFitName) }
          : message,
      ),
  }),
  "openai-chat/tool-choice": cheap({
    summary: "`tool_choice` needs tools.",
    says: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    when: ({ model }) => isOpenai(model),
    find: (input) =>
      input.body["tool_choice"] != null && toolsOf(input).length === 0 && "tool_choice",
    drops: ["tool_choice"],
  }),
};
