import { isJsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import type { RuleFound, RuleTable } from "../../common/rules/define-rule.ts";
import {
  findSwitches,
  invalidValue,
  missing,
  show,
  wrongType,
} from "../../common/rules/openai-words.ts";
import { isOpenai, messagesOf, openais, partsOf } from "./view.ts";

const formats = ["json_object", "json_schema", "text"];

const saysJson = (input: RuleInput): boolean =>
  messagesOf(input).some(({ content }) => /json/i.test(JSON.stringify(content) ?? ""));

function findFormat(input: RuleInput): RuleFound {
  const format = input.body["response_format"];
  if (!isJsonObject(format)) return [];
  const { type, json_schema: named } = format;
  if (!formats.some((known) => known === type))
    return invalidValue("response_format.type", type, formats);
  if (type === "json_object" && !saysJson(input)) {
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    return { path: "messages", message };
  }
  if (type !== "json_schema") return [];
  if (!isJsonObject(named)) return missing("response_format.json_schema");
  return named["name"] === undefined && missing("response_format.json_schema.name");
}

const mostStops = 4;
const caps = ["max_tokens", "max_completion_tokens"];

const capAbove = ({ body, model }: RuleInput): readonly string[] => {
  const most = isOpenai(model) && !model.assumed ? model.outputCap : undefined;
  return caps.filter((name) => most !== undefined && Number(body[name]) > most);
};

export const requestRules: RuleTable = {
  "openai-chat/switches": openais({
    summary: "Switches are true or false.",
    fix: "Send true or false.",
    find: ({ body }) => findSwitches(body, ["stream", "store", "logprobs", "parallel_tool_calls"]),
  }),
  "openai-chat/parallel-calls": openais({
    summary: "`parallel_tool_calls` needs `tools`.",
    says: "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
    fix: "Leave `parallel_tool_calls` out if there are no tools.",
    find: ({ body: { parallel_tool_calls: parallel, tools } }) =>
      typeof parallel === "boolean" && tools == null && "parallel_tool_calls",
    drops: ["parallel_tool_calls"],
  }),
  "openai-chat/tool-list": openais({
    summary: "`tools` is not empty, and a function tool has a `function`.",
    fix: "Leave an empty `tools` out; put name and parameters into `function`.",
    find: ({ body: { tools } }) => {
      if (!Array.isArray(tools)) return [];
      const message =
        "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
      if (tools.length === 0) return { path: "tools", message, code: "empty_array" };
      return tools.map(
        (tool, at) =>
          isJsonObject(tool) &&
          tool["type"] === "function" &&
          !isJsonObject(tool["function"]) &&
          missing(`tools[${at}].function`),
      );
    },
  }),
  "openai-chat/response-format": openais({
    summary:
      "The format is known, a schema has a name, and JSON mode needs the word JSON in a message.",
    fix: "Name the schema; say in a message that JSON is wanted.",
    find: findFormat,
  }),
  "openai-chat/stop-count": openais({
    summary: "At most four stop sequences.",
    repairSummary: "Keep the first four.",
    find: ({ body: { stop } }) => {
      if (!Array.isArray(stop) || stop.length <= mostStops) return [];
      const message = `Invalid 'stop': array too long. Expected an array with maximum length ${mostStops}, but got an array with length ${stop.length} instead.`;
      return { path: "stop", message, code: "array_above_max_length" };
    },
    repair: ({ body: { stop, ...rest } }) => ({
      ...rest,
      stop: (stop as readonly string[]).slice(0, mostStops),
    }),
  }),
  "openai-chat/stream-options": openais({
    summary: "`stream_options` needs `stream`.",
    says: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    fix: "Leave `stream_options` out, or stream.",
    find: ({ body: { stream_options: options, stream } }) =>
      isJsonObject(options) && stream !== true && "stream_options",
    drops: ["stream_options"],
  }),
  "openai-chat/output-cap": openais({
    summary: "The output cap is at most what the model can write.",
    says: (name, { body, model }) => {
      const asked = show(body[name]);
      return `${name} is too large: ${asked}. This model supports at most ${model.outputCap} completion tokens, whereas you provided ${asked}.`;
    },
    repairSummary: "Lower the cap to the model's own.",
    find: capAbove,
    repair: (input) => ({
      ...input.body,
      ...Object.fromEntries(capAbove(input).map((name) => [name, input.model.outputCap])),
    }),
  }),
  "openai-chat/image-url": openais({
    summary: "An image is an object with its `url`.",
    fix: 'Send `"image_url": {"url": "…"}`.',
    find: (input) =>
      partsOf(input)
        .filter(({ part }) => part["type"] === "image_url" && !isJsonObject(part["image_url"]))
        .map(({ part, path }) => wrongType(`${path}.image_url`, "an object", part["image_url"])),
  }),
};
