import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import {
  badName,
  invalidValue,
  missing,
  unknownParameter,
  wrongType,
} from "../../common/rules/openai-words.ts";
import { asObject, asObjects, asText, without } from "../../common/json-reading.ts";
import { cheap, type RuleFound, type RuleTable } from "../../common/rules/define-rule.ts";
import { everywhere, itemsOf, mapItems, continuesStored } from "./view.ts";

function findShape({ body }: RuleInput): RuleFound {
  const { model, input } = body;
  const isBare = !continuesStored(body) && body["prompt"] == null;
  const message = `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`;
  const isList = typeof input === "string" || Array.isArray(input);
  return [
    model == null && missing("model"),
    model != null && typeof model !== "string" && wrongType("model", "a string", model),
    input == null && isBare && missing("input"),
    input != null && !isList && wrongType("input", "one of an array of objects or string", input),
    isList &&
      input.length === 0 &&
      isBare && {
        path: "input",
        message,
        code: "missing_required_parameter",
      },
  ];
}

const isDecimal = (value: JsonValue): boolean => typeof value === "number";

/** What top-level fields hold, where no other rule looks. */
const fieldTypes: readonly [name: string, holds: (value: JsonValue) => boolean, kind: string][] = [
  ["temperature", isDecimal, "a decimal"],
  ["top_p", isDecimal, "a decimal"],
  ["max_output_tokens", Number.isInteger, "an integer"],
  ["tools", Array.isArray, "an array of objects"],
];

const findTypes = (input: RuleInput): RuleFound => [
  fieldTypes.map(([name, holds, kind]) => {
    const value = input.body[name];
    return value != null && !holds(value) && wrongType(name, kind, value);
  }),
  Array.isArray(input.body["input"]) &&
    itemsOf(input).length < input.body["input"].length &&
    input.body["input"].map(
      (item: JsonValue, at) => !isJsonObject(item) && wrongType(`input[${at}]`, "an object", item),
    ),
];

/** Fields of Chat Completions that have another name here. */
const moved = new Map([
  ["messages", "input"],
  ["reasoning_effort", "reasoning.effort"],
  ["max_tokens", "max_output_tokens"],
  ["max_completion_tokens", "max_output_tokens"],
  ["response_format", "text.format"],
  ["verbosity", "text.verbosity"],
]);
const absent = new Set([
  "stop",
  "seed",
  "n",
  "logit_bias",
  "frequency_penalty",
  "presence_penalty",
  "logprobs",
  "top_k",
  "thinking",
]);

export const isForeign = (key: string): boolean => moved.has(key) || absent.has(key);

const findFields = ({ body }: RuleInput): RuleFound =>
  Object.keys(body)
    .filter(isForeign)
    .map((key) => {
      const name = moved.get(key);
      const message = `Unsupported parameter: '${key}'. In the Responses API, this parameter has moved to '${name}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`;
      return name === undefined
        ? unknownParameter(key)
        : { path: key, message, code: "unsupported_parameter", param: null };
    });

const roles = ["assistant", "system", "developer", "user"];
const inputTypes = [
  "input_text",
  "input_image",
  "output_text",
  "refusal",
  "input_file",
  "computer_screenshot",
  "summary_text",
];
const answerTypes = ["output_text", "refusal"];

const findRoles = (input: RuleInput): RuleFound =>
  itemsOf(input).map(({ item: { role, content }, path, type }) => {
    if (type !== "message" || role === undefined) return [];
    if (!roles.some((each) => each === role))
      return { ...invalidValue(`${path}.role`, role, roles), param: path };
    const allowed = role === "assistant" ? answerTypes : inputTypes;
    return asObjects(content).map((part, index) => {
      const kind = asText(part["type"]);
      // Only known wrong types are refused: the service may have new ones.
      const isKnownWrong =
        chatTypes.has(kind) || (role === "assistant" && kind.startsWith("input_"));
      const param = `${path}.content[${index}]`;
      return isKnownWrong && { ...invalidValue(`${param}.type`, kind, allowed), param };
    });
  });

/** Content types of other APIs with their names on this wire. */
export const chatTypes: ReadonlySet<string> = new Set([
  "text",
  "image_url",
  "thinking",
  "tool_use",
  "tool_result",
]);

const requiredFields = new Map<string, readonly string[]>([
  ["reasoning", ["summary"]],
  ["function_call", ["call_id", "name", "arguments"]],
  ["function_call_output", ["call_id", "output"]],
  ["custom_tool_call", ["call_id", "name", "input"]],
  ["custom_tool_call_output", ["call_id", "output"]],
]);

function findTools({ body }: RuleInput): RuleFound {
  const tools = asObjects(body["tools"]);
  const { type: kind, name: chosen } = asObject(body["tool_choice"]);
  const isKnown = tools.some((tool) => tool["name"] === chosen);
  return [
    tools.map(({ type, name, vector_store_ids: stores }, at) => {
      if (type === "file_search" && !Array.isArray(stores))
        return missing(`tools[${at}].vector_store_ids`);
      if (type !== "function") return [];
      const path = `tools[${at}].name`;
      return asText(name) === "" ? missing(path) : badName(path, asText(name));
    }),
    kind === "function" &&
      asText(chosen) !== "" &&
      !isKnown && {
        path: "tool_choice",
        message: `Tool choice '${asText(chosen)}' not found in 'tools' parameter.`,
      },
  ];
}

const withMoved = ({ body }: RuleInput): JsonObject => {
  const { max_tokens: old, max_completion_tokens: cap, reasoning_effort: effort } = body;
  const most = body["max_output_tokens"] ?? cap ?? old;
  const reasoning =
    effort === undefined ? body["reasoning"] : { effort, ...asObject(body["reasoning"]) };
  return {
    ...without(body, ...absent, "max_tokens", "max_completion_tokens", "reasoning_effort"),
    ...(most !== undefined && { max_output_tokens: most }),
    ...(reasoning !== undefined && { reasoning }),
  };
};

export const structureRules: RuleTable = {
  "openai/request-shape": cheap({
    summary: "A request names a model and has an input: a string or a list of items.",
    when: everywhere,
    find: findShape,
  }),
  "openai/field-types": cheap({
    summary: "Numbers, tools and input items are what the service expects.",
    fix: "Send a value of the type named.",
    when: everywhere,
    find: findTypes,
  }),
  "openai/model-served": cheap({
    summary: "The model hasn't been shut down.",
    severity: "warning",
    when: everywhere,
    find: ({ model: { status, id } }) =>
      (status === "retired" || status === "never-served") && {
        path: "model",
        message: `Model not found ${id}`,
        status: 404,
      },
  }),
  "openai/chat-parameters": cheap({
    summary: "Parameters of Chat Completions are refused.",
    repairSummary: "Rename parameters that have a new name, and leave out the others.",
    find: findFields,
    repair: withMoved,
  }),
  "openai/message-role": cheap({
    summary:
      "Messages have the role user, assistant, system or developer, and content types of this API.",
    find: findRoles,
  }),
  "openai/item-fields": cheap({
    summary: "Items have all their fields; a reasoning item has a summary, even if it is empty.",
    says: missing,
    repairSummary: "Add an empty summary to reasoning items.",
    find: (input) =>
      itemsOf(input).map(({ item, path, type }) =>
        requiredFields.get(type)?.map((field) => item[field] == null && `${path}.${field}`),
      ),
    repair: (input) =>
      mapItems(input, ({ item, type }) =>
        type === "reasoning" ? { ...item, summary: item["summary"] ?? [] } : item,
      ),
  }),
  "openai/reasoning-status": cheap({
    summary: "A reasoning item comes back without its status.",
    says: unknownParameter,
    repairSummary: "Remove the status.",
    refusal: /Unknown parameter: 'input\[\d+\]\.status'/,
    find: (input) =>
      itemsOf(input).map(
        ({ item, type, path }) =>
          type === "reasoning" && item["status"] !== undefined && `${path}.status`,
      ),
    repair: (input) =>
      mapItems(input, ({ item, type }) => (type === "reasoning" ? without(item, "status") : item)),
  }),
  "openai/tools": cheap({
    summary:
      "Function tools have a name of letters, digits, dashes and underscores; a forced tool is one of them.",
    find: findTools,
  }),
  "openai/output-format": cheap({
    summary: "A JSON schema for the answer has a name.",
    says: missing,
    find: ({ body }) => {
      const format = asObject(asObject(body["text"])["format"]);
      return (
        format["type"] === "json_schema" &&
        ["name", "schema"].map((key) => format[key] === undefined && `text.format.${key}`)
      );
    },
  }),
};
