import { invalidArgument } from "../../../types/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  Message,
  OpaquePart,
  TextPart,
  ToolResultPart,
} from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { fileAt } from "../../common/data-url.ts";
import { joinMessages } from "../../common/join-messages.ts";
import { asList, asObjects, asText } from "../../common/json-reading.ts";
import { extraFor } from "../../common/answer.ts";
import { blockAsText } from "../../common/quoted-result.ts";
import { limits } from "../../common/limits.ts";
import { Assembler } from "../client/assemble.ts";
import { fileFields, messageFieldsKind, wire } from "../client/message-parts.ts";

interface ReadConversation {
  readonly system: string | readonly TextPart[] | undefined;
  readonly messages: readonly Message[];
}

/** Reads the `messages` of a body. The leading system prompt becomes `system`; tool results are joined. */
export function decodeMessages(value: JsonValue | undefined, model: string): ReadConversation {
  const list = asObjects(value);
  const lead = list[0];
  const system =
    lead !== undefined && isSystem(lead) && Object.keys(lead).length === 2
      ? readSystem(lead["content"])
      : undefined;
  const names = new Map<string, string>();
  const entries = system === undefined ? list : list.slice(1);
  const messages = entries.map((entry) => readMessage(entry, model, names));
  return { system, messages: joinMessages(messages, "tool") };
}

const isSystem = ({ role }: JsonObject): boolean => role === "system" || role === "developer";

function readSystem(content: JsonValue | undefined): string | readonly TextPart[] | undefined {
  if (typeof content === "string") return content === "" ? undefined : content;
  const parts = readContent(content);
  const texts = parts.filter((part) => part.type === "text");
  return texts.length === parts.length && texts.length > 0 ? texts : undefined;
}

function readMessage(entry: JsonObject, model: string, names: Map<string, string>): Message {
  if (entry["role"] === "assistant")
    return { role: "assistant", parts: readAssistant(entry, model, names) };
  if (entry["role"] === "tool" || entry["role"] === "function") {
    return { role: "tool", parts: [readResult(entry, names)] };
  }
  const parts = [...readContent(entry["content"]), ...readFields(entry, ["role", "content"])];
  if (!isSystem(entry)) return { role: "user", parts };
  return { role: "system", parts: parts.filter((part) => part.type !== "file") };
}

function readFields(entry: JsonObject, modelled: readonly string[]): readonly OpaquePart[] {
  const rest = Object.entries(entry).filter(
    ([name, value]) => !modelled.includes(name) && value !== undefined && value !== null,
  );
  if (rest.length === 0) return [];
  return [{ type: "opaque", wire, kind: messageFieldsKind, data: Object.fromEntries(rest) }];
}

const assistantFields =
  "role content refusal tool_calls function_call reasoning_content reasoning reasoning_text reasoning_details thinking_blocks reasoning_opaque extra_content thought_signature images".split(
    " ",
  );

function readAssistant(
  entry: JsonObject,
  model: string,
  names: Map<string, string>,
): readonly AssistantPart[] {
  const context: DecodeContext = {
    origin: { wire, provider: wire, model },
    // Whole messages carry no time stamps, and calls without an id keep none: `Number()` is 0, `String()` is "".
    now: Number,
    newId: String,
  };
  const assembler = new Assembler(context, false, (_code, message) =>
    invalidArgument("messages", message, `at most ${limits.blocks} parts a message`),
  );
  const { content } = entry;
  const chunks = asList(content);
  // Text chunks with fields of their own must not run together.
  const isPlain = chunks.every((chunk) => readTextChunk(chunk)?.extra === undefined);
  assembler.read(isPlain ? entry : { ...entry, content: null });
  const parts = assembler.close();
  for (const part of parts) if (part.type === "tool-call") names.set(part.id, part.name);
  const apart = isPlain ? [] : chunks.map((chunk) => readTextChunk(chunk) ?? readOpaque(chunk));
  const firstCall = parts.findIndex((part) => part.type === "tool-call");
  const at = firstCall < 0 ? parts.length : firstCall;
  return [
    ...parts.slice(0, at),
    ...apart,
    ...parts.slice(at),
    ...readFields(entry, assistantFields),
  ];
}

function readResult(entry: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart {
  const { tool_call_id, name, content } = entry;
  const callId = asText(tool_call_id);
  const parts = typeof content === "string" ? [] : readContent(content);
  const known = parts.map((part) => (part.type === "opaque" ? blockAsText(part.data) : part));
  const isRead = parts.every(({ type }) => type !== "opaque");
  return {
    type: "tool-result",
    callId,
    name: names.get(callId) ?? asText(name),
    output: typeof content === "string" ? content : known,
    ...extraFor(wire, isRead ? {} : { content }),
  };
}

function readContent(
  content: JsonValue | undefined,
): readonly (TextPart | FilePart | OpaquePart)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((chunk) => readTextChunk(chunk) ?? readFile(chunk) ?? readOpaque(chunk));
}

function readTextChunk(chunk: JsonValue): TextPart | undefined {
  if (!isJsonObject(chunk) || chunk["type"] !== "text" || typeof chunk["text"] !== "string")
    return undefined;
  const { type: _type, text, ...fields } = chunk;
  return { type: "text", text, ...extraFor(wire, fields) };
}

/** `image_url` may also be the bare address, as Mistral takes it. */
function readFile(chunk: JsonValue): FilePart | undefined {
  if (!isJsonObject(chunk)) return undefined;
  const { type, image_url: image, file, input_audio: audio, ...beside } = chunk;
  if (type === "image_url") return readImage(isJsonObject(image) ? image : { url: image }, beside);
  if (type === "input_audio" && isJsonObject(audio)) {
    const { data, format, ...fields } = audio;
    if (typeof data !== "string" || typeof format !== "string") return undefined;
    const source = { type: "base64", data } as const;
    const extra = extraFor(wire, fileFields(type, fields, beside));
    return { type: "file", mediaType: `audio/${format}`, source, ...extra };
  }
  return type === "file" && isJsonObject(file) ? readDocument(file, beside) : undefined;
}

function readImage({ url, ...fields }: JsonObject, beside: JsonObject): FilePart | undefined {
  if (typeof url !== "string") return undefined;
  const extra = extraFor(wire, fileFields("image_url", fields, beside));
  return { type: "file", ...fileAt(url, "image/*"), ...extra };
}

function readDocument(file: JsonObject, beside: JsonObject): FilePart | undefined {
  const { file_id: id, file_data: data, filename: name, ...fields } = file;
  const extra = extraFor(wire, fileFields("file", fields, beside));
  const mediaType = "application/pdf";
  if (typeof id === "string" && data === undefined)
    return { type: "file", mediaType, source: { type: "id", id }, ...extra };
  if (typeof data !== "string" || typeof name !== "string") return undefined;
  const read = fileAt(data, mediaType);
  return read.source.type === "base64" ? { type: "file", ...read, ...extra, name } : undefined;
}

const readOpaque = (chunk: JsonValue): OpaquePart => {
  const data = isJsonObject(chunk) ? chunk : { text: chunk };
  return {
    type: "opaque",
    wire,
    kind: typeof data["type"] === "string" ? data["type"] : "unknown",
    data,
  };
};
