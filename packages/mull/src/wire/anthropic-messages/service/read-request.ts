import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../../types/json.ts";
import type {
  FilePart,
  Message,
  OpaquePart,
  Origin,
  SystemMessage,
  TextPart,
  ToolResultPart,
  UserPart,
} from "../../../types/message.ts";
import { efforts, type Effort } from "../../../types/model.ts";
import type { ShowThinking, ThinkingSetting } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { AnyTool, ToolChoice } from "../../../types/tool.ts";
import type { WireMirror } from "../../../types/wire.ts";
import { joinMessages } from "../../common/join-messages.ts";
import { asObject, asObjects, asText, hasKeys } from "../../common/json-reading.ts";
import {
  createBlockReader,
  effortUpdate,
  extraOf,
  otherFields,
  wire,
  type BlockContext,
} from "../client/parts.ts";
import { extraFor } from "../../common/answer.ts";
import { blockAsText } from "../../common/quoted-result.ts";
import { numberIn, readFields, stopsIn, type FieldReader } from "../../common/read-fields.ts";

/** Top-level fields that `WireRequest` has a place for; the rest goes to `extra`. */
const modelled =
  "model messages system tools stream thinking output_config tool_choice metadata".split(" ");

const readers: readonly FieldReader[] = [
  numberIn("max_tokens", "maxOutputTokens"),
  numberIn("temperature", "temperature"),
  numberIn("top_p", "topP"),
  numberIn("top_k", "topK"),
  stopsIn("stop_sequences"),
];

/** Reads a request without losing anything: what mull does not model goes to `extra`. */
export const decodeRequest: WireMirror["decodeRequest"] = ({ path, headers, body, text }) => {
  const model = asText(body["model"]) || modelInPath(path);
  const dial = readDial(body, model);
  const choice = readToolChoice(body["tool_choice"]);
  const metadata = asObject(body["metadata"]);
  const output = asObject(asObject(body["output_config"])["format"]);
  const betas = asText(headers["anthropic-beta"])
    .split(",")
    .map((beta) => beta.trim())
    .filter(Boolean);
  const nested = {
    thinking: dial.otherThinking,
    output_config: dial.otherOutput,
    tool_choice: choice.other,
    metadata: otherFields(metadata, ["user_id"]),
  };
  const { fields, rest } = readFields(otherFields(body, modelled), readers);
  const extra: JsonObject = {
    ...rest,
    ...Object.fromEntries(Object.entries(nested).filter(([, left]) => hasKeys(left))),
    ...(betas.length > 0 && { anthropic_beta: betas }),
  };
  return {
    model,
    messages: readMessages(asObjects(body["messages"]), contextFor(model, text)),
    thinking: dial.thinking,
    show: dial.show,
    stream: body["stream"] === true,
    ...readSystem(body["system"]),
    ...(Array.isArray(body["tools"]) && { tools: asObjects(body["tools"]).map(readTool) }),
    ...choice.fields,
    ...fields,
    ...(isJsonObject(output["schema"]) && { output: { schema: output["schema"] } }),
    ...(typeof metadata["user_id"] === "string" && { userId: metadata["user_id"] }),
    ...(hasKeys(extra) && { extra }),
  };
};

/** Google and AWS name the model in the path: `…/models/claude-opus-5-5:rawPredict`. */
const modelInPath = (path: string): string =>
  decodeURIComponent(/\/models?\/([^/:]+)/.exec(path)?.[1] ?? "");

interface ReadDial {
  readonly thinking: ThinkingSetting;
  readonly show: ShowThinking;
  readonly otherThinking: JsonObject;
  readonly otherOutput: JsonObject;
}

function readDial(body: JsonObject, model: string): ReadDial {
  const form = asObject(body["thinking"]);
  const config = asObject(body["output_config"]);
  const effort = efforts.find((word) => word === config["effort"]);
  const thinking = readThinkingForm(form, effort);
  const takesEffort = thinking.type !== "default" && thinking.type !== "on";
  const display = asText(form["display"]);
  const isPlain = display === "" || display === "summarized" || display === "omitted";
  const isFormat = isJsonObject(asObject(config["format"])["schema"]);
  return {
    thinking,
    show: (display === "" ? showsByDefault(model) : display !== "omitted") && "auto",
    otherThinking: otherFields(form, [
      ...(thinking.type === "default" ? [] : ["type", "budget_tokens"]),
      ...(isPlain ? ["display"] : []),
    ]),
    otherOutput: otherFields(config, [
      ...(takesEffort && effort ? ["effort"] : []),
      ...(isFormat ? ["format"] : []),
    ]),
  };
}

function readThinkingForm(form: JsonObject, effort: Effort | undefined): ThinkingSetting {
  const steer = effort && { effort };
  switch (asText(form["type"])) {
    case "enabled":
      return typeof form["budget_tokens"] === "number"
        ? { type: "budget", tokens: form["budget_tokens"], ...steer }
        : { type: "on" };
    case "adaptive":
      return effort ? { type: "effort", effort } : { type: "on" };
    case "disabled":
      return { type: "off", form: "disabled", ...steer };
    case "between_tools":
      return { type: "off", form: "between_tools", ...steer };
    default:
      return { type: "default" };
  }
}

/** Claude up to 4.6 shows its summary unasked; later ones do not. */
const showsByDefault = (model: string): boolean =>
  !model.includes("claude") ||
  /claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:[-@]\d{8}|-latest)?$)/.test(model);

function readToolChoice(value: unknown): {
  readonly fields: Pick<WireRequest, "toolChoice" | "parallelToolCalls">;
  readonly other: JsonObject;
} {
  const choice = asObject(value);
  const single = choice["disable_parallel_tool_use"];
  const type = asText(choice["type"]);
  const toolChoice = type === "tool" ? { tool: asText(choice["name"]) } : choiceWords.get(type);
  return {
    fields: {
      ...(toolChoice !== undefined && { toolChoice }),
      ...(typeof single === "boolean" && { parallelToolCalls: !single }),
    },
    other: otherFields(choice, [
      ...(toolChoice === undefined ? [] : ["type", "name"]),
      "disable_parallel_tool_use",
    ]),
  };
}

const choiceWords: ReadonlyMap<string, ToolChoice> = new Map([
  ["auto", "auto"],
  ["none", "none"],
  ["any", "required"],
]);

function readTool(tool: JsonObject): AnyTool {
  const { name, description, input_schema: inputSchema, strict } = tool;
  if (typeof name !== "string" || !isJsonObject(inputSchema)) {
    return { vendor: { wire, fields: tool } };
  }
  return {
    name,
    inputSchema,
    ...(typeof description === "string" && { description }),
    ...(typeof strict === "boolean" && { strict }),
    ...extraOf(tool, ["name", "description", "input_schema", "strict"]),
  };
}

function readSystem(system: unknown): Pick<WireRequest, "system"> {
  if (typeof system === "string") return { system };
  return Array.isArray(system) ? { system: asObjects(system).map(readText) } : {};
}

const readText = (block: JsonObject): TextPart => ({
  type: "text",
  text: asText(block["text"]),
  ...extraOf(block, ["type", "text"]),
});

const contextFor = (model: string, text: string | undefined): BlockContext => {
  const origin: Origin = { wire, provider: "anthropic", model };
  return { origin, newId: () => "", ...(text !== undefined && { text }) };
};

function readMessages(messages: readonly JsonObject[], context: BlockContext): readonly Message[] {
  const names = new Map<string, string>();
  const readBlock = createBlockReader(context);
  return messages.flatMap((message): readonly Message[] => {
    const { role, content, ...rest } = message;
    const blocks: readonly JsonObject[] =
      typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content);
    if (role === "system") {
      return [{ role, parts: [...blocks.map(readSystemBlock), ...readUpdate(rest)] }];
    }
    if (role !== "assistant") {
      const entries = blocks.map((block) => readUserEntry(block, names));
      return joinMessages(entries, "tool", "user");
    }
    const parts = blocks.map(readBlock);
    for (const part of parts) if (part.type === "tool-call") names.set(part.id, part.name);
    return [{ role, parts, origin: context.origin }];
  });
}

const readUpdate = (fields: JsonObject): SystemMessage["parts"] => {
  const { effort } = asObject(fields["output_config"]);
  return typeof effort === "string"
    ? [{ type: "opaque", wire, kind: effortUpdate, data: { effort } }]
    : [];
};

const readSystemBlock = (block: JsonObject): SystemMessage["parts"][number] =>
  block["type"] === "text" ? readText(block) : opaque(block);

const opaque = (block: JsonObject): OpaquePart => ({
  type: "opaque",
  wire,
  kind: asText(block["type"]),
  data: block,
});

const readUserEntry = (block: JsonObject, names: ReadonlyMap<string, string>): Message =>
  block["type"] === "tool_result"
    ? { role: "tool", parts: [readResult(block, names)] }
    : { role: "user", parts: [readUserBlock(block)] };

const readUserBlock = (block: JsonObject): UserPart =>
  block["type"] === "text" ? readText(block) : (readFile(block) ?? opaque(block));

function readResult(block: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart {
  const { tool_use_id, content } = block;
  const callId = asText(tool_use_id);
  const items = asObjects(content);
  const known = items.map((item) => (item["type"] === "text" ? readText(item) : readFile(item)));
  const extra: MutableJsonObject = {
    ...otherFields(block, ["type", "tool_use_id", "content", "is_error"]),
    // Results may hold blocks that only this wire knows: then the whole list goes back as it came.
    ...(known.includes(undefined) && { content }),
  };
  return {
    type: "tool-result",
    callId,
    name: names.get(callId) ?? "",
    output: Array.isArray(content)
      ? known.map((part, at) => part ?? blockAsText(items[at]!))
      : asText(content),
    ...(block["is_error"] === true && { isError: true }),
    ...extraFor(wire, extra),
  };
}

function readFile(block: JsonObject): FilePart | undefined {
  const isDocument = block["type"] === "document";
  if (!isDocument && block["type"] !== "image") return undefined;
  const source = asObject(block["source"]);
  const read = readSource(source, isDocument ? "application/pdf" : "image/*");
  if (read === undefined) return undefined;
  return {
    type: "file",
    ...read,
    ...(isDocument && typeof block["title"] === "string" && { name: block["title"] }),
    ...extraOf(block, ["type", "source", ...(isDocument ? ["title"] : [])]),
  };
}

function readSource(
  source: JsonObject,
  mediaType: string,
): Pick<FilePart, "mediaType" | "source"> | undefined {
  const { url, file_id: id, data } = source;
  switch (asText(source["type"])) {
    case "base64":
      return {
        mediaType: asText(source["media_type"]),
        source: { type: "base64", data: asText(data) },
      };
    case "url":
      return { mediaType, source: { type: "url", url: asText(url) } };
    case "file":
      return { mediaType, source: { type: "id", id: asText(id) } };
    case "text":
      return {
        mediaType: "text/plain",
        source: { type: "base64", data: encodeText(asText(data)) },
      };
    default:
      return undefined;
  }
}

/** `btoa` takes bytes only: an "é" in a file would throw. */
const encodeText = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
