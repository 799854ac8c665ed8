import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { efforts, type Effort } from "../../../types/model.ts";
import type { ThinkingSetting } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { AnyTool, ToolChoice } from "../../../types/tool.ts";
import { decodeMessages } from "./read-messages.ts";

/** Fields of the request that were understood, and the names of the body fields they came from. */
interface Reading {
  readonly fields: Partial<WireRequest>;
  readonly names: readonly string[];
}

const nothing: Reading = { fields: {}, names: [] };

/**
 * Reads a request body. What mull does not model, and every spelling of the dial besides a lone
 * `reasoning_effort`, stays in `extra`, so that the body can be written again.
 */
export function decodeRequest(http: { readonly body: JsonObject }): WireRequest {
  const { body } = http;
  const model = typeof body["model"] === "string" ? body["model"] : "";
  const { system, messages } = decodeMessages(body["messages"], model);
  const thinking = readThinking(body);
  const readings = [
    readCap(body),
    readSampling(body),
    readTools(body),
    readOutput(body),
    readHints(body),
  ];
  const known = new Set([
    "model",
    "messages",
    "stream",
    ...thinking.names,
    ...readings.flatMap(({ names }) => names),
  ]);
  const rest = Object.entries(body).filter(([name]) => !known.has(name));
  const fields: Partial<WireRequest> = Object.assign(
    {},
    ...readings.map((reading) => reading.fields),
  );
  return {
    model,
    messages,
    thinking: thinking.setting,
    show: thinking.isHidden ? false : "auto",
    stream: body["stream"] === true,
    ...(system !== undefined && { system }),
    ...fields,
    ...(rest.length > 0 && { extra: Object.fromEntries(rest) }),
  };
}

const isEffort = (value: unknown): value is Effort =>
  (efforts as readonly unknown[]).includes(value);

interface ThinkingReading {
  readonly setting: ThinkingSetting;
  readonly isHidden: boolean;
  readonly names: readonly string[];
}

const effortSetting = (effort: Effort): ThinkingSetting =>
  effort === "none" ? { type: "off", form: "effort-none" } : { type: "effort", effort };

const switchSetting = (isOn: boolean): ThinkingSetting =>
  isOn ? { type: "on" } : { type: "off", form: "switch" };

const seen = (setting: ThinkingSetting, isHidden = false): ThinkingReading => ({
  setting,
  isHidden,
  names: [],
});

function readThinking(body: JsonObject): ThinkingReading {
  const {
    reasoning,
    thinking,
    enable_thinking,
    thinking_budget,
    chat_template_kwargs,
    reasoning_effort,
  } = body;
  const isHidden = body["reasoning_format"] === "hidden" || body["include_reasoning"] === false;
  if (isJsonObject(reasoning)) {
    const { effort, max_tokens, enabled, exclude } = reasoning;
    if (typeof max_tokens === "number")
      return seen({ type: "budget", tokens: max_tokens }, exclude === true);
    if (isEffort(effort)) return seen(effortSetting(effort), exclude === true);
    return seen(
      typeof enabled === "boolean" ? switchSetting(enabled) : { type: "default" },
      exclude === true,
    );
  }
  if (isJsonObject(thinking)) {
    if (thinking["type"] === "disabled") return seen(switchSetting(false));
    return seen(isEffort(reasoning_effort) ? effortSetting(reasoning_effort) : switchSetting(true));
  }
  const template = isJsonObject(chat_template_kwargs) ? chat_template_kwargs : {};
  const isOn = enable_thinking ?? template["enable_thinking"] ?? template["thinking"];
  if (typeof isOn === "boolean") {
    return seen(
      isOn && typeof thinking_budget === "number"
        ? { type: "budget", tokens: thinking_budget }
        : switchSetting(isOn),
    );
  }
  if (isEffort(reasoning_effort)) {
    return { setting: effortSetting(reasoning_effort), isHidden, names: ["reasoning_effort"] };
  }
  const isPrompted = body["prompt_mode"] === "reasoning" || reasoning_effort === "default";
  return seen(isPrompted ? { type: "on" } : { type: "default" }, isHidden);
}

function readCap(body: JsonObject): Reading {
  for (const name of ["max_completion_tokens", "max_tokens"]) {
    const value = body[name];
    if (typeof value === "number") return { fields: { maxOutputTokens: value }, names: [name] };
  }
  return nothing;
}

function readSampling(body: JsonObject): Reading {
  const fields: {
    temperature?: number;
    topP?: number;
    topK?: number;
    stopSequences?: readonly string[];
  } = {};
  const names: string[] = [];
  for (const [name, key] of [
    ["temperature", "temperature"],
    ["top_p", "topP"],
    ["top_k", "topK"],
  ] as const) {
    const value = body[name];
    if (typeof value !== "number") continue;
    fields[key] = value;
    names.push(name);
  }
  const { stop } = body;
  const stops = typeof stop === "string" ? [stop] : stop;
  if (Array.isArray(stops) && stops.every((one): one is string => typeof one === "string")) {
    fields.stopSequences = stops;
    names.push("stop");
  }
  return { fields, names };
}

function readTools(body: JsonObject): Reading {
  const { tools, tool_choice, parallel_tool_calls } = body;
  if (!Array.isArray(tools) || tools.length === 0) return nothing;
  const choice = readToolChoice(tool_choice);
  const isParallelKnown = typeof parallel_tool_calls === "boolean";
  return {
    fields: {
      tools: tools.filter(isJsonObject).map(readTool),
      ...(choice !== undefined && { toolChoice: choice }),
      ...(isParallelKnown && { parallelToolCalls: parallel_tool_calls }),
    },
    names: [
      "tools",
      ...(choice !== undefined ? ["tool_choice"] : []),
      ...(isParallelKnown ? ["parallel_tool_calls"] : []),
    ],
  };
}

function readTool(tool: JsonObject): AnyTool {
  const { type = "function", function: spec, ...extra } = tool;
  const vendor: AnyTool = { vendor: { wire: "openai-chat", fields: tool } };
  if (type !== "function" || !isJsonObject(spec)) return vendor;
  const { name, description, parameters, strict, ...unknown } = spec;
  if (typeof name !== "string" || !isJsonObject(parameters) || Object.keys(unknown).length > 0)
    return vendor;
  return {
    name,
    inputSchema: parameters,
    ...(typeof description === "string" && { description }),
    ...(typeof strict === "boolean" && { strict }),
    ...(Object.keys(extra).length > 0 && { extra: { wire: "openai-chat", fields: extra } }),
  };
}

function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  if (!isJsonObject(choice) || choice["type"] !== "function") return undefined;
  const wanted = choice["function"];
  const name = isJsonObject(wanted) ? wanted["name"] : undefined;
  return typeof name === "string" ? { tool: name } : undefined;
}

function readOutput(body: JsonObject): Reading {
  const format = body["response_format"];
  if (!isJsonObject(format) || format["type"] !== "json_schema") return nothing;
  const wanted = format["json_schema"];
  if (!isJsonObject(wanted)) return nothing;
  const { name, schema, strict, ...rest } = wanted;
  if (!isJsonObject(schema) || strict !== true || Object.keys(rest).length > 0) return nothing;
  const output = typeof name === "string" ? { name, schema } : { schema };
  return { fields: { output }, names: ["response_format"] };
}

function readHints(body: JsonObject): Reading {
  const { prompt_cache_key: key, user } = body;
  const fields: { cache?: { key: string }; userId?: string } = {};
  const names: string[] = [];
  if (typeof key === "string" && key.length <= 64) {
    fields.cache = { key };
    names.push("prompt_cache_key");
  }
  if (typeof user === "string") {
    fields.userId = user;
    names.push("user");
  }
  return { fields, names };
}
