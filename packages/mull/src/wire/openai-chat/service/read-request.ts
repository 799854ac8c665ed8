import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { isEffort, type Effort } from "../../../types/model.ts";
import type { ThinkingSetting } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { AnyTool, ToolChoice } from "../../../types/tool.ts";
import { asObject, asText, hasKeys, without } from "../../common/json-reading.ts";
import { extraFor } from "../../common/answer.ts";
import {
  numberIn,
  parallelIn,
  readFields,
  stopsIn,
  userIn,
  type FieldReader,
} from "../../common/read-fields.ts";
import { wire } from "../client/message-parts.ts";
import { decodeMessages } from "./read-messages.ts";

const readers: readonly FieldReader[] = [
  numberIn("max_completion_tokens", "maxOutputTokens"),
  numberIn("max_tokens", "maxOutputTokens"),
  numberIn("temperature", "temperature"),
  numberIn("top_p", "topP"),
  numberIn("top_k", "topK"),
  stopsIn("stop"),
  userIn("user"),
  ["prompt_cache_key", readCacheKey],
  ["response_format", readOutput],
];
/** Without tools these are not written again. */
const toolReaders: readonly FieldReader[] = [
  [
    "tools",
    (tools) => ({ tools: (tools as readonly JsonValue[]).filter(isJsonObject).map(readTool) }),
  ],
  ["tool_choice", readToolChoice],
  parallelIn("parallel_tool_calls"),
];

/**
 * Reads a request body. What mull does not model, and every spelling of the dial besides a lone
 * `reasoning_effort`, stays in `extra`, so that the body can be written again.
 */
export function decodeRequest(http: { readonly body: JsonObject }): WireRequest {
  const { model, messages: list, stream, ...body } = http.body;
  const { system, messages } = decodeMessages(list, asText(model));
  const { setting, isLoneEffort } = readThinking(body);
  const hasTools = Array.isArray(body["tools"]) && body["tools"].length > 0;
  const known = hasTools ? [...readers, ...toolReaders] : readers;
  const others = isLoneEffort ? without(body, "reasoning_effort") : body;
  const { fields, rest } = readFields(others, known);
  return {
    model: asText(model),
    messages,
    thinking: setting,
    show: isHidden(body) ? false : "auto",
    stream: stream === true,
    ...(system !== undefined && { system }),
    ...fields,
    ...(hasKeys(rest) && { extra: rest }),
  };
}

const effortSetting = (effort: Effort): ThinkingSetting =>
  effort === "none" ? { type: "off", form: "effort-none" } : { type: "effort", effort };

const switchSetting = (isOn: boolean): ThinkingSetting =>
  isOn ? { type: "on" } : { type: "off", form: "switch" };

const isHidden = (body: JsonObject): boolean =>
  asObject(body["reasoning"])["exclude"] === true ||
  body["reasoning_format"] === "hidden" ||
  body["include_reasoning"] === false;

/** The setting in whatever spelling, and whether it is an effort and nothing else. */
function readThinking(body: JsonObject): {
  readonly setting: ThinkingSetting;
  readonly isLoneEffort?: true;
} {
  const { reasoning, thinking, thinking_budget: budget, reasoning_effort: word } = body;
  if (isJsonObject(reasoning)) {
    const { effort, max_tokens: tokens, enabled } = reasoning;
    if (typeof tokens === "number") return { setting: { type: "budget", tokens } };
    if (isEffort(effort)) return { setting: effortSetting(effort) };
    return { setting: typeof enabled === "boolean" ? switchSetting(enabled) : { type: "default" } };
  }
  if (isJsonObject(thinking)) {
    const isOn = thinking["type"] !== "disabled";
    return { setting: isOn && isEffort(word) ? effortSetting(word) : switchSetting(isOn) };
  }
  const template = asObject(body["chat_template_kwargs"]);
  const isOn = body["enable_thinking"] ?? template["enable_thinking"] ?? template["thinking"];
  if (isOn === true && typeof budget === "number")
    return { setting: { type: "budget", tokens: budget } };
  if (typeof isOn === "boolean") return { setting: switchSetting(isOn) };
  if (isEffort(word)) return { setting: effortSetting(word), isLoneEffort: true };
  const isPrompted = body["prompt_mode"] === "reasoning" || word === "default";
  return { setting: { type: isPrompted ? "on" : "default" } };
}

function readTool(tool: JsonObject): AnyTool {
  const { type = "function", function: spec, ...extra } = tool;
  const vendor: AnyTool = { vendor: { wire, fields: tool } };
  if (type !== "function" || !isJsonObject(spec)) return vendor;
  const { name, description, parameters, strict, ...unknown } = spec;
  if (typeof name !== "string" || !isJsonObject(parameters) || hasKeys(unknown)) return vendor;
  return {
    name,
    inputSchema: parameters,
    ...(typeof description === "string" && { description }),
    ...(typeof strict === "boolean" && { strict }),
    ...extraFor(wire, extra),
  };
}

function readToolChoice(
  choice: JsonValue | undefined,
): { readonly toolChoice: ToolChoice } | undefined {
  if (choice === "auto" || choice === "none" || choice === "required")
    return { toolChoice: choice };
  const { type, function: wanted } = asObject(choice);
  const { name } = asObject(wanted);
  return type === "function" && typeof name === "string"
    ? { toolChoice: { tool: name } }
    : undefined;
}

function readOutput(format: JsonValue | undefined): Pick<WireRequest, "output"> | undefined {
  const { type, json_schema: wanted } = asObject(format);
  const { name, schema, strict, ...rest } = asObject(wanted);
  if (type !== "json_schema" || !isJsonObject(schema) || strict !== true || hasKeys(rest))
    return undefined;
  return { output: typeof name === "string" ? { name, schema } : { schema } };
}

function readCacheKey(key: JsonValue | undefined): Pick<WireRequest, "cache"> | undefined {
  return typeof key === "string" && key.length <= 64 ? { cache: { key } } : undefined;
}
