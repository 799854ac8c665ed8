import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  Message,
  TextPart,
  ToolResultPart,
  UserPart,
} from "../../../types/message.ts";
import { isEffort } from "../../../types/model.ts";
import type { ShowThinking, ThinkingSetting } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { AnyTool, ToolChoice } from "../../../types/tool.ts";
import type { WireMirror } from "../../../types/wire.ts";
import { fileAt } from "../../common/data-url.ts";
import { joinMessages } from "../../common/join-messages.ts";
import { asObject, asObjects, asText, hasKeys } from "../../common/json-reading.ts";
import { extraFor } from "../../common/answer.ts";
import { blockAsText } from "../../common/quoted-result.ts";
import {
  numberIn,
  parallelIn,
  readFields,
  userIn,
  type FieldReader,
} from "../../common/read-fields.ts";
import { outputFormat } from "../client/encode.ts";
import { type PartContext, partsOfItem, wireId } from "../client/parts.ts";

/** Reads a request body. What the neutral form cannot say stays in `extra`, which is written last. */
export const decodeRequest: WireMirror["decodeRequest"] = ({ body }) => {
  const { model, input, instructions, stream, ...rest } = body;
  const origin = { wire: wireId, provider: "openai", model: asText(model) } as const;
  const context: PartContext = { origin, newId: () => "call_unnamed" };
  const { fields, rest: extra } = readFields(rest, readers);
  const leftOver = {
    ...(instructions !== undefined && typeof instructions !== "string" && { instructions }),
    ...(stream !== undefined && typeof stream !== "boolean" && { stream }),
    ...extra,
  };
  return {
    model: origin.model,
    ...(typeof instructions === "string" && { system: instructions }),
    messages: readInput(input, context),
    thinking: { type: "default" },
    show: false,
    stream: stream === true,
    ...fields,
    ...(hasKeys(leftOver) && { extra: leftOver }),
  };
};

type Options = Partial<WireRequest>;

const readers: readonly FieldReader[] = [
  numberIn("max_output_tokens", "maxOutputTokens"),
  numberIn("temperature", "temperature"),
  numberIn("top_p", "topP"),
  userIn("user"),
  parallelIn("parallel_tool_calls"),
  [
    "prompt_cache_key",
    (value) => (typeof value === "string" ? { cache: { key: value } } : undefined),
  ],
  ["reasoning", readReasoning],
  ["tools", readTools],
  ["tool_choice", readToolChoice],
  ["text", readText],
  // The encoder writes these itself.
  ["store", (value) => (value === false ? {} : undefined)],
  [
    "include",
    (value) => (JSON.stringify(value) === '["reasoning.encrypted_content"]' ? {} : undefined),
  ],
];

const isShow = (value: unknown): value is Exclude<ShowThinking, false> =>
  value === "auto" || value === "concise" || value === "detailed";

function readReasoning(value: JsonValue | undefined): Options | undefined {
  const { effort, summary, ...more } = asObject(value);
  if (!isEffort(effort) || hasKeys(more)) return undefined;
  if (summary !== undefined && (!isShow(summary) || effort === "none")) return undefined;
  const thinking: ThinkingSetting =
    effort === "none" ? { type: "off", form: "effort-none" } : { type: "effort", effort };
  return { thinking, show: summary ?? false };
}

function readTools(value: JsonValue | undefined): Options | undefined {
  if (!Array.isArray(value) || !value.every(isJsonObject)) return undefined;
  return value.length === 0 ? undefined : { tools: value.map(readTool) };
}

function readTool(tool: JsonObject): AnyTool {
  const { type, name, description, parameters, strict, ...rest } = tool;
  const isPlain = type === "function" && typeof name === "string" && isJsonObject(parameters);
  const isKnown = description === undefined || typeof description === "string";
  if (!isPlain || !isKnown || typeof strict !== "boolean") {
    return { vendor: { wire: wireId, fields: tool } };
  }
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters,
    strict,
    ...extraFor(wireId, rest),
  };
}

const choiceWords: readonly ToolChoice[] = ["auto", "none", "required"];

function readToolChoice(value: JsonValue | undefined): Options | undefined {
  const word = choiceWords.find((choice) => choice === value);
  if (word !== undefined) return { toolChoice: word };
  const { type, name, ...more } = asObject(value);
  const isFunction = type === "function" && typeof name === "string";
  return isFunction && !hasKeys(more) ? { toolChoice: { tool: name } } : undefined;
}

function readText(value: JsonValue | undefined): Options | undefined {
  const { format, ...more } = asObject(value);
  const { name, schema } = asObject(format);
  if (typeof name !== "string" || !isJsonObject(schema) || hasKeys(more)) return undefined;
  const output = { name, schema };
  return sameJson(outputFormat(output), format) ? { output } : undefined;
}

const sameJson = (a: JsonObject, b: JsonValue | undefined): boolean =>
  isJsonObject(b) &&
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => JSON.stringify(value) === JSON.stringify(b[key]));

/** Items a client makes; everything else without a role came from the model. */
const clientItems =
  /_output$|_response$|^configuration_update$|^additional_tools$|^item_reference$/;
const ownOutputs: ReadonlySet<unknown> = new Set([
  "program_output",
  "shell_call_output",
  "tool_search_output",
]);

function readInput(input: JsonValue | undefined, context: PartContext): readonly Message[] {
  if (typeof input === "string") return [{ role: "user", parts: [{ type: "text", text: input }] }];
  const names = new Map<string, string>();
  const messages = asObjects(input).map((item) => {
    const message = readItem(item, names, context);
    for (const part of message.parts) if (part.type === "tool-call") names.set(part.id, part.name);
    return message;
  });
  return joinMessages(messages, "assistant", "tool");
}

function readItem(
  item: JsonObject,
  names: ReadonlyMap<string, string>,
  context: PartContext,
): Message {
  const { role, content } = item;
  const type = asText(item["type"]) || (role === undefined ? "unknown" : "message");
  if (type === "message" && role === "user") return { role, parts: readContent(item, content) };
  if (type === "message" && (role === "system" || role === "developer")) {
    const parts = readContent(item, content);
    return { role: "system", parts: parts.filter((part) => part.type !== "file") };
  }
  if (type === "message" && role === "assistant") {
    return { role, parts: partsOfItem({ ...item, type }, context), origin: context.origin };
  }
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return { role: "tool", parts: [readResult(item, names)] };
  }
  const isClients = type === "message" || (clientItems.test(type) && !ownOutputs.has(type));
  if (isClients)
    return { role: "user", parts: [{ type: "opaque", wire: wireId, kind: type, data: item }] };
  const parts: readonly AssistantPart[] = partsOfItem(item, context);
  return { role: "assistant", parts, origin: context.origin };
}

function readContent(item: JsonObject, content: JsonValue | undefined): readonly UserPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asObjects(content).map((part): UserPart => {
    const known = readInputPart(part);
    if (known !== undefined) return known;
    const kind = asText(part["type"]);
    return kind.startsWith("input_")
      ? { type: "opaque", wire: wireId, kind, data: part }
      : { type: "opaque", wire: wireId, kind: "message", data: { ...item, content: [part] } };
  });
}

function readInputPart(part: JsonObject): FilePart | TextPart | undefined {
  const { type, text, image_url, file_url, file_data, file_id: id, ...more } = part;
  const { filename, ...fields } = more;
  const extra = extraFor(wireId, fields);
  if (type === "input_text" && typeof text === "string") return { type: "text", text, ...extra };
  if (type !== "input_image" && type !== "input_file") return undefined;
  const mediaType = type === "input_image" ? "image/*" : "application/pdf";
  const url = image_url ?? file_data ?? file_url;
  const name = typeof filename === "string" && filename !== "" && { name: filename };
  if (typeof id === "string")
    return { type: "file", mediaType, source: { type: "id", id }, ...name, ...extra };
  return typeof url === "string"
    ? { type: "file", ...fileAt(url, mediaType), ...name, ...extra }
    : undefined;
}

function readResult(item: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart {
  const { type: _, call_id: callId, output, ...fields } = item;
  const id = asText(callId);
  const items = asObjects(output);
  const known = items.map(readInputPart);
  const isList = Array.isArray(output) && items.length === output.length && items.length > 0;
  const isRead = typeof output === "string" || (isList && !known.includes(undefined));
  return {
    type: "tool-result",
    callId: id,
    name: names.get(id) ?? "",
    output:
      typeof output === "string"
        ? output
        : known.map((part, at) => part ?? blockAsText(items[at]!)),
    ...extraFor(wireId, isRead ? fields : { ...fields, output }),
  };
}
