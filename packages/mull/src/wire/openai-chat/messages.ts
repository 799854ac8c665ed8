import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  OpaquePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../../types/message.ts";
import type { Note } from "../../types/plan.ts";
import type { EncodeTarget } from "../../types/wire.ts";
import { encodeFile } from "./files.ts";
import { replayableDetails } from "./reasoning-details.ts";

const wire = "openai-chat";

/** Opaque parts of this kind hold fields of the message itself, not a content chunk. */
export const messageFieldsKind = "message-fields";

/** What one run over the history keeps in mind. */
interface Run {
  readonly target: EncodeTarget;
  readonly notes: Note[];
  /** Ids of reasoning details already sent. */
  readonly seenDetails: Set<string>;
  /** Position of the last user message: what follows is the running tool loop. */
  readonly lastUser: number;
}

export function encodeMessages(
  messages: readonly Message[],
  system: string | readonly TextPart[] | undefined,
  target: EncodeTarget,
  notes: Note[],
): readonly JsonObject[] {
  const systemRole =
    target.quirks?.systemRole ?? (target.model.thinking.kind === "none" ? "system" : "developer");
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const run: Run = { target, notes, seenDetails: new Set(), lastUser };
  const out: JsonObject[] = [];
  if (system !== undefined && system.length > 0) {
    const parts = typeof system === "string" ? system : encodeContent(system, "system", run);
    out.push({ role: systemRole, content: parts });
  }
  messages.forEach((message, index) => {
    if (message.role === "assistant") {
      const encoded = encodeAssistant(message, index, run);
      if (encoded !== undefined) out.push(encoded);
    } else if (message.role === "tool") pushResults(out, message, index, run);
    else {
      const content = encodeContent(message.parts, `messages[${index}]`, run);
      const role = message.role === "system" ? systemRole : "user";
      const fields = messageFields(message.parts);
      if (content.length > 0) out.push(fields ? { role, content, ...fields } : { role, content });
    }
  });
  return out;
}

const extraOf = (part: { readonly extra?: TextPart["extra"] }): JsonObject | undefined =>
  part.extra?.wire === wire ? part.extra.fields : undefined;

const textBlock = (part: TextPart): JsonObject =>
  part.extra === undefined
    ? { type: "text", text: part.text }
    : { type: "text", text: part.text, ...extraOf(part) };

function messageFields(parts: readonly { readonly type: string }[]): JsonObject | undefined {
  const part = parts.find(
    (candidate) => candidate.type === "opaque" && isFields(candidate as OpaquePart),
  );
  return (part as OpaquePart | undefined)?.data;
}

const isFields = (part: OpaquePart): boolean =>
  part.wire === wire && part.kind === messageFieldsKind;
const isChunk = (part: OpaquePart): boolean =>
  part.wire === wire && part.kind !== messageFieldsKind;

/** A plain string where one text says it all: every server takes that. */
function encodeContent(
  parts: readonly (TextPart | FilePart | OpaquePart)[],
  at: string,
  { target }: Run,
): string | readonly JsonObject[] {
  const blocks: JsonObject[] = [];
  let plain: string | undefined = "";
  parts.forEach((part, index) => {
    if (part.send === false) return;
    if (part.type === "file") blocks.push(encodeFile(part, `${at}.parts[${index}]`, target));
    else if (part.type === "text") {
      plain = blocks.length === 0 && extraOf(part) === undefined ? part.text : undefined;
      blocks.push(textBlock(part));
      return;
    } else if (isChunk(part)) blocks.push(part.data);
    else return;
    plain = undefined;
  });
  return plain ?? blocks;
}

function pushResults(out: JsonObject[], message: ToolMessage, index: number, run: Run): void {
  const images: JsonObject[] = [];
  for (const part of message.parts) {
    if (part.send === false) continue;
    const content =
      typeof part.output === "string"
        ? part.output
        : encodeOutput(part, `messages[${index}]`, images, run);
    const result = { role: "tool", tool_call_id: part.callId, content };
    out.push(part.extra === undefined ? result : { ...result, ...extraOf(part) });
  }
  // Tool messages hold text only on most servers; the pictures follow in the user's name.
  if (images.length > 0) out.push({ role: "user", content: images });
}

function encodeOutput(
  { output, name }: ToolResultPart,
  at: string,
  images: JsonObject[],
  run: Run,
): string | readonly JsonObject[] {
  const parts = output as readonly (TextPart | FilePart)[];
  const files = parts.filter((part) => part.type === "file");
  if (files.length === 0 || run.target.quirks?.toolImages === true)
    return encodeContent(parts, at, run);
  if (run.target.model.files?.images === false) {
    const message = `${run.target.model.id} reads no files: those of tool "${name}" were left out`;
    run.notes.push({ code: "file-dropped", severity: "warning", message });
  } else {
    images.push({ type: "text", text: `Files returned by tool "${name}":` });
    for (const file of files) images.push(encodeFile(file, at, run.target));
  }
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** `undefined` when nothing of the message may be sent. */
function encodeAssistant(
  message: AssistantMessage,
  index: number,
  run: Run,
): JsonObject | undefined {
  const parts = message.parts.filter((part) => part.send !== false);
  const calls = parts.filter((part) => part.type === "tool-call");
  const thinking = encodeReplay(parts, calls.length > 0, index > run.lastUser, run);
  const content = encodeAssistantContent(parts, thinking.chunks, thinking.inline, run);
  const refusal = parts.find((part) => part.type === "text" && part.refusal) as
    | TextPart
    | undefined;
  const isRefusalField = refusal !== undefined && run.target.quirks === undefined;
  const isEmpty = content.length === 0 && refusal === undefined;
  if (isEmpty && calls.length === 0 && thinking.isEmpty) return undefined;
  const text = isRefusalField || refusal === undefined ? content : content || refusal.text;
  const isNull = text.length === 0 && (calls.length > 0 || isRefusalField);
  return {
    role: "assistant",
    content: isNull ? null : text,
    ...(isRefusalField && { refusal: refusal.text }),
    ...thinking.fields,
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
    ...messageSeals(parts),
    ...messageFields(parts),
  };
}

const isSaid = (part: AssistantPart): part is TextPart =>
  part.type === "text" && !part.refusal && part.text !== "";

const chunkOf = (part: AssistantPart, chunks: Replay["chunks"]): JsonObject | undefined =>
  part.type === "opaque" && isChunk(part) ? part.data : chunks?.get(part);

/** Blocks are made only where a plain string does not say it all. */
function encodeAssistantContent(
  parts: readonly AssistantPart[],
  chunks: Replay["chunks"],
  inline: string,
  run: Run,
): string | readonly JsonObject[] {
  let plain = inline;
  let isPlain = true;
  for (const part of parts) {
    if (isSaid(part)) {
      plain += part.text;
      isPlain &&= extraOf(part) === undefined;
    } else if (chunkOf(part, chunks) !== undefined) isPlain = false;
    else if (part.type === "file") {
      run.notes.push({
        code: "file-dropped",
        severity: "info",
        message: "files a model made are not sent back on this API",
      });
    }
  }
  return isPlain
    ? plain
    : parts.flatMap((part): JsonObject | readonly JsonObject[] => {
        return chunkOf(part, chunks) ?? (isSaid(part) ? textBlock(part) : []);
      });
}

function encodeCall(part: ToolCallPart): JsonObject {
  const { id, name, input } = part;
  const body: JsonObject =
    typeof input === "string"
      ? { id, type: "custom", custom: { name, input } }
      : { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
  if (part.seal === undefined && part.extra === undefined) return body;
  const { message: _beside, ...sealed } = part.seal?.origin.wire === wire ? part.seal.data : {};
  return { ...body, ...sealed, ...extraOf(part) };
}

/** Seals that came beside the message go back there. */
function messageSeals(parts: readonly AssistantPart[]): JsonObject | undefined {
  for (const part of parts) {
    const beside = part.seal?.origin.wire === wire ? part.seal.data["message"] : undefined;
    if (isJsonObject(beside)) return beside;
  }
  return undefined;
}

interface Replay {
  /** Fields of the message. */
  readonly fields?: JsonObject;
  /** Thinking that goes back as a content chunk, by its part. */
  readonly chunks?: ReadonlyMap<AssistantPart, JsonObject>;
  /** Thinking that goes back between its tags, in front of the text. */
  readonly inline: string;
  readonly isEmpty: boolean;
}

/** Thinking as this model wants it back, under the name it came in. */
function encodeReplay(
  parts: readonly AssistantPart[],
  hasCalls: boolean,
  isLoop: boolean,
  run: Run,
): Replay {
  const { model, quirks } = run.target;
  const policy = model.replay;
  const isWanted =
    policy !== "forbidden" &&
    (policy !== "loop" || isLoop) &&
    (policy !== "tool-calls" || hasCalls);
  if (!isWanted) return { inline: "", isEmpty: true };
  const defaultField = quirks?.thinkingFields?.[0] ?? "reasoning_content";
  const texts = new Map<string, string>();
  const sides = new Map<string, JsonValue>();
  const chunks = new Map<AssistantPart, JsonObject>();
  let inline = "";
  for (const part of parts) {
    if (part.type !== "thinking" || !isReadable(part, policy)) continue;
    const { field, message: _beside, tags, signature, ...rest } = part.seal?.data ?? {};
    const name = typeof field === "string" ? field : defaultField;
    if (name === "content" && Array.isArray(tags)) inline += inTags(part.text, tags);
    else if (name === "content") chunks.set(part, thinkingChunk(part.text, signature));
    else if (!(name in rest) && part.text !== "")
      texts.set(name, (texts.get(name) ?? "") + part.text);
    addSides(rest, sides, run.seenDetails);
  }
  const isNamed = texts.size > 0 || chunks.size > 0 || inline !== "" || sides.size > 0;
  if (!isNamed && (policy === "required" || policy === "tool-calls")) texts.set(defaultField, "");
  return {
    fields: { ...Object.fromEntries(texts), ...Object.fromEntries(sides) },
    chunks,
    inline,
    isEmpty: !isNamed,
  };
}

/** Only what this wire sealed, or plain thinking where the server takes plain thinking. */
const isReadable = (part: ThinkingPart, policy: string): boolean =>
  part.seal === undefined
    ? policy !== "sealed" && part.text !== ""
    : part.seal.origin.wire === wire;

const tagText = (tag: JsonValue | undefined): string => (typeof tag === "string" ? tag : "");

const inTags = (text: string, tags: readonly JsonValue[]): string =>
  text === "" ? "" : `${tagText(tags[0])}\n${text}\n${tagText(tags[1])}\n\n`;

/** One closed chunk: Mistral refuses several. */
const thinkingChunk = (text: string, signature: JsonValue | undefined): JsonObject => ({
  type: "thinking",
  thinking: [{ type: "text", text }],
  closed: true,
  ...(signature !== undefined && { signature }),
});

function addSides(rest: JsonObject, sides: Map<string, JsonValue>, seen: Set<string>): void {
  for (const [name, value] of Object.entries(rest)) {
    if (!Array.isArray(value)) sides.set(name, value as JsonValue);
    else {
      const before = sides.get(name);
      const news = replayableDetails(value, seen);
      sides.set(name, Array.isArray(before) ? [...before, ...news] : news);
    }
  }
}
