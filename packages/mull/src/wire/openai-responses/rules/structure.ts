import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll, objectsIn } from "../../common/rule-view.ts";
import { asObject, asObjects, asText } from "../client/parts.ts";
import {
  continuesStored,
  type Hit,
  itemsIn,
  invalidValue,
  kindOf,
  makeRule,
  omit,
  withItems,
} from "./make-rule.ts";

const missing = (path: string): Hit => ({
  path,
  message: `Missing required parameter: '${path}'.`,
  code: "missing_required_parameter",
});

function findShape({ body }: RuleInput): readonly Hit[] {
  const { model, input } = body;
  const hits: Hit[] = [];
  if (model === undefined || model === null) hits.push(missing("model"));
  else if (typeof model !== "string") {
    const message = `Invalid type for 'model': expected a string, but got ${kindOf(model)} instead.`;
    hits.push({ path: "model", message, code: "invalid_type" });
  }
  if (input === undefined || input === null) {
    if (!continuesStored(body) && body["prompt"] == null) hits.push(missing("input"));
  } else if (typeof input !== "string" && !Array.isArray(input)) {
    const message = `Invalid type for 'input': expected one of an array of objects or string, but got ${kindOf(input)} instead.`;
    hits.push({ path: "input", message, code: "invalid_type" });
  } else if (input.length === 0 && !continuesStored(body) && body["prompt"] == null) {
    const message = `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`;
    hits.push({ path: "input", message, code: "missing_required_parameter" });
  }
  return hits;
}

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

function findFields({ body }: RuleInput): readonly Hit[] {
  return Object.keys(body)
    .filter(isForeign)
    .map((key): Hit => {
      const name = moved.get(key);
      if (name !== undefined) {
        const message = `Unsupported parameter: '${key}'. In the Responses API, this parameter has moved to '${name}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`;
        return { path: key, message, code: "unsupported_parameter", param: null };
      }
      return { path: key, message: `Unknown parameter: '${key}'.`, code: "unknown_parameter" };
    });
}

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

function findRoles(input: RuleInput): readonly Hit[] {
  return findAll(itemsIn(input), ({ item, at, type }): readonly Hit[] => {
    const role = item["role"];
    if (type !== "message" || role === undefined) return [];
    if (!roles.some((each) => each === role)) {
      const message = invalidValue(role, roles);
      return [{ path: `input[${at}].role`, message, code: "invalid_value", param: `input[${at}]` }];
    }
    const allowed = role === "assistant" ? answerTypes : inputTypes;
    const { content } = item;
    return findAll(Array.isArray(content) ? objectsIn(content) : [], (part, index) => {
      const kind = asText(part["type"]) ?? "";
      // What is newer than this list is not for us to refuse.
      const isKnownWrong =
        chatTypes.has(kind) || (role === "assistant" && kind.startsWith("input_"));
      if (!isKnownWrong) return [];
      const path = `input[${at}].content[${index}]`;
      const message = invalidValue(kind, allowed);
      return [{ path: `${path}.type`, message, code: "invalid_value", param: path }];
    });
  });
}

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

const findMissing = (input: RuleInput): readonly Hit[] =>
  findAll(itemsIn(input), ({ item, at, type }) =>
    findAll(requiredFields.get(type) ?? [], (field) =>
      item[field] === undefined || item[field] === null ? [missing(`input[${at}].${field}`)] : [],
    ),
  );

const findStatus = (input: RuleInput): readonly Hit[] =>
  findAll(itemsIn(input), ({ item, at, type }): readonly Hit[] => {
    if (type !== "reasoning" || item["status"] === undefined) return [];
    const path = `input[${at}].status`;
    return [{ path, message: `Unknown parameter: '${path}'.`, code: "unknown_parameter" }];
  });

const longestName = 64;

function findTools({ body }: RuleInput): readonly Hit[] {
  const tools = asObjects(body["tools"]);
  const hits = tools.flatMap((tool, at): readonly Hit[] => {
    const path = `tools[${at}].name`;
    const name = asText(tool["name"]);
    if (tool["type"] === "file_search" && !Array.isArray(tool["vector_store_ids"])) {
      return [missing(`tools[${at}].vector_store_ids`)];
    }
    if (tool["type"] !== "function") return [];
    if (name === undefined) return [missing(path)];
    if (name.length > longestName) return [tooLong(path, longestName, name.length)];
    if (/^[\w-]+$/.test(name)) return [];
    const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    return [{ path, message, code: "invalid_value" }];
  });
  const choice = asObject(body["tool_choice"]);
  const chosen = choice["type"] === "function" ? asText(choice["name"]) : undefined;
  if (chosen === undefined || tools.some((tool) => tool["name"] === chosen)) return hits;
  const message = `Tool choice '${chosen}' not found in 'tools' parameter.`;
  return [...hits, { path: "tool_choice", message }];
}

export const tooLong = (path: string, most: number, length: number): Hit => ({
  path,
  message: `Invalid '${path}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
  code: "string_above_max_length",
});

function findFormat({ body }: RuleInput): readonly Hit[] {
  const format = asObject(asObject(body["text"])["format"]);
  if (format["type"] !== "json_schema") return [];
  return ["name", "schema"]
    .filter((key) => format[key] === undefined)
    .map((key) => missing(`text.format.${key}`));
}

function findModelStatus({ model }: RuleInput): readonly Hit[] {
  if (model.status !== "retired" && model.status !== "never-served") return [];
  return [{ path: "model", message: `Model not found ${model.id}`, status: 404 }];
}

const withMoved = (body: JsonObject): JsonObject => {
  const { max_tokens: old, max_completion_tokens: cap, reasoning_effort: effort } = body;
  const most = body["max_output_tokens"] ?? cap ?? old;
  const reasoning =
    effort === undefined ? body["reasoning"] : { effort, ...asObject(body["reasoning"]) };
  return {
    ...omit(body, ...absent, "max_tokens", "max_completion_tokens", "reasoning_effort"),
    ...(most !== undefined && { max_output_tokens: most }),
    ...(reasoning !== undefined && { reasoning }),
  };
};

export const structureRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/request-shape",
    summary: "A request names a model and has an input: a string or a list of items.",
    everywhere: true,
    find: findShape,
    preflight: true,
  }),
  makeRule({
    id: "openai/model-served",
    summary: "Models past their end of life are not found.",
    severity: "warning",
    everywhere: true,
    find: findModelStatus,
    preflight: true,
  }),
  makeRule({
    id: "openai/chat-parameters",
    summary: "Parameters of Chat Completions are refused.",
    repairSummary: "Renames what has a new name and leaves out what has none.",
    find: findFields,
    repair: withMoved,
    preflight: true,
  }),
  makeRule({
    id: "openai/message-role",
    summary:
      "Messages are of a user, the assistant, the system or the developer, with the content types of this API.",
    find: findRoles,
    preflight: true,
  }),
  makeRule({
    id: "openai/item-fields",
    summary: "Items carry all their fields; a reasoning item its summary, if only an empty one.",
    repairSummary: "Adds an empty summary to reasoning items.",
    find: findMissing,
    repair: (body) =>
      withItems(body, ({ item, type }) =>
        type === "reasoning" ? { ...item, summary: item["summary"] ?? [] } : item,
      ),
    preflight: true,
  }),
  makeRule({
    id: "openai/reasoning-status",
    summary: "A reasoning item comes back without its status.",
    repairSummary: "Strips the status.",
    find: findStatus,
    repair: (body) =>
      withItems(body, ({ item, type }) => (type === "reasoning" ? omit(item, "status") : item)),
    preflight: true,
  }),
  makeRule({
    id: "openai/tools",
    about: ["tools", "tool_choice"],
    summary:
      "Function tools have a name of letters, digits, dashes and underscores; a forced tool is one of them.",
    find: findTools,
    preflight: true,
  }),
  makeRule({
    id: "openai/output-format",
    about: ["text"],
    summary: "A JSON schema for the answer has a name.",
    find: findFormat,
    preflight: true,
  }),
];
