import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll } from "../../common/rule-view.ts";
import {
  defineRule,
  isOpenai,
  kindOf,
  listValues,
  messagesOf,
  show,
  without,
  type Violation,
} from "./define.ts";

const missing = (path: string): Violation => ({
  path,
  message: `Missing required parameter: '${path}'.`,
  code: "missing_required_parameter",
});

const toolList = (): Rule =>
  defineRule({
    id: "openai-chat/tool-list",
    about: ["tools"],
    summary: "`tools` is left out where there are none; a function tool has its `function`.",
    fix: "Leave an empty `tools` out; put name and parameters into `function`.",
    isSlow: true,
    find: ({ body, model }) => {
      const { tools } = body;
      if (!isOpenai(model) || !Array.isArray(tools)) return [];
      if (tools.length === 0) {
        const message =
          "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
        return [{ path: "tools", message, code: "empty_array" }];
      }
      return tools.flatMap((tool: JsonValue, at) =>
        isJsonObject(tool) && tool["type"] === "function" && !isJsonObject(tool["function"])
          ? [missing(`tools[${at}].function`)]
          : [],
      );
    },
  });

const formats = ["json_object", "json_schema", "text"];

const saysJson = (input: RuleInput): boolean =>
  messagesOf(input).some(({ content }) => /json/i.test(JSON.stringify(content) ?? ""));

function findFormat(input: RuleInput): readonly Violation[] {
  const format = input.body["response_format"];
  if (!isOpenai(input.model) || !isJsonObject(format)) return [];
  const { type, json_schema: named } = format;
  if (!formats.some((known) => known === type)) {
    const message = `Invalid value: '${show(type)}'. Supported values are: ${listValues(formats)}.`;
    return [{ path: "response_format.type", message, code: "invalid_value" }];
  }
  if (type === "json_object" && !saysJson(input)) {
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    return [{ path: "messages", message }];
  }
  if (type !== "json_schema") return [];
  if (!isJsonObject(named)) return [missing("response_format.json_schema")];
  return named["name"] === undefined ? [missing("response_format.json_schema.name")] : [];
}

const responseFormat = (): Rule =>
  defineRule({
    id: "openai-chat/response-format",
    about: ["response_format"],
    summary: "A format is known, a schema has a name, and JSON mode is spoken of in the messages.",
    fix: "Name the schema; say in a message that JSON is wanted.",
    isSlow: true,
    find: findFormat,
  });

const mostStops = 4;

const stopCount = (): Rule =>
  defineRule({
    id: "openai-chat/stop-count",
    about: ["stop"],
    summary: "At most four stop sequences.",
    fix: "Leave some out.",
    repairSummary: "The first four are kept.",
    isSlow: true,
    find: ({ body: { stop }, model }) => {
      if (!isOpenai(model) || !Array.isArray(stop) || stop.length <= mostStops) return [];
      const message = `Invalid 'stop': array too long. Expected an array with maximum length ${mostStops}, but got an array with length ${stop.length} instead.`;
      return [{ path: "stop", message, code: "array_above_max_length" }];
    },
    repair: ({ body }) => ({
      ...body,
      stop: Array.isArray(body["stop"]) ? body["stop"].slice(0, mostStops) : body["stop"],
    }),
  });

const streamOptions = (): Rule =>
  defineRule({
    id: "openai-chat/stream-options",
    about: ["stream_options"],
    summary: "`stream_options` come with `stream` only.",
    fix: "Leave `stream_options` out, or stream.",
    repairSummary: "`stream_options` are left out.",
    isSlow: true,
    find: ({ body, model }) =>
      isOpenai(model) && isJsonObject(body["stream_options"]) && body["stream"] !== true
        ? [
            {
              path: "stream_options",
              message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            },
          ]
        : [],
    repair: ({ body }) => without(body, "stream_options"),
  });

const parallelCalls = (): Rule =>
  defineRule({
    id: "openai-chat/parallel-calls",
    about: ["parallel_tool_calls"],
    summary: "`parallel_tool_calls` comes with `tools` only.",
    fix: "Leave `parallel_tool_calls` out where there are no tools.",
    repairSummary: "`parallel_tool_calls` is left out.",
    isSlow: true,
    find: ({ body, model }) =>
      isOpenai(model) && typeof body["parallel_tool_calls"] === "boolean" && body["tools"] == null
        ? [
            {
              path: "parallel_tool_calls",
              message:
                "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
            },
          ]
        : [],
    repair: ({ body }) => without(body, "parallel_tool_calls"),
  });

const switches = ["stream", "store", "logprobs", "parallel_tool_calls"];

const switchTypes = (): Rule =>
  defineRule({
    id: "openai-chat/switches",
    about: switches,
    summary: "Switches are true or false.",
    fix: "Send true or false.",
    isSlow: true,
    find: ({ body, model }) =>
      switches.flatMap((path): readonly Violation[] => {
        const value = body[path];
        if (
          !isOpenai(model) ||
          value === undefined ||
          value === null ||
          typeof value === "boolean"
        ) {
          return [];
        }
        const message = `Invalid type for '${path}': expected a boolean, but got ${kindOf(value)} instead.`;
        return [{ path, message, code: "invalid_type" }];
      }),
  });

const caps = ["max_tokens", "max_completion_tokens"];

const capAbove = ({ body, model }: RuleInput): readonly string[] => {
  const most = isOpenai(model) && !model.assumed ? model.outputCap : undefined;
  return caps.filter((name) => most !== undefined && Number(body[name]) > most);
};

const outputCap = (): Rule =>
  defineRule({
    id: "openai-chat/output-cap",
    about: caps,
    summary: "No more is asked for than the model can write.",
    fix: "Ask for less.",
    repairSummary: "The cap becomes the model's own.",
    isSlow: true,
    find: (input) =>
      capAbove(input).map((name): Violation => {
        const asked = show(input.body[name]);
        const message = `${name} is too large: ${asked}. This model supports at most ${input.model.outputCap} completion tokens, whereas you provided ${asked}.`;
        return { path: name, message };
      }),
    repair: (input) => ({
      ...input.body,
      ...Object.fromEntries(capAbove(input).map((name) => [name, input.model.outputCap])),
    }),
  });

const isBareImage = (part: JsonValue): part is JsonObject =>
  isJsonObject(part) && part["type"] === "image_url" && !isJsonObject(part["image_url"]);

const imageUrl = (): Rule =>
  defineRule({
    id: "openai-chat/image-url",
    summary: "An image is an object with its `url`.",
    fix: 'Send `"image_url": {"url": "…"}`.',
    isSlow: true,
    find: (input) =>
      isOpenai(input.model)
        ? findAll(messagesOf(input), ({ content }, index): readonly Violation[] =>
            (Array.isArray(content) ? content : []).flatMap((part: JsonValue, at) => {
              if (!isBareImage(part)) return [];
              const path = `messages[${index}].content[${at}].image_url`;
              const message = `Invalid type for '${path}': expected an object, but got ${kindOf(part["image_url"])} instead.`;
              return [{ path, message, code: "invalid_type" }];
            }),
          )
        : [],
  });

export const requestRules = (): readonly Rule[] => [
  switchTypes(),
  parallelCalls(),
  toolList(),
  responseFormat(),
  stopCount(),
  streamOptions(),
  outputCap(),
  imageUrl(),
];
