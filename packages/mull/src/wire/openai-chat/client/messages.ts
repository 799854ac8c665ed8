import type { JsonObject } from "../../../types/json.ts";
import type {
  FilePart,
  Message,
  OpaquePart,
  TextPart,
  ToolMessage,
  ToolResultPart,
} from "../../../types/message.ts";
import type { Note } from "../../../types/plan.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { extraOn } from "../../common/answer.ts";
import { encodeAssistant } from "./assistant-message.ts";
import {
  fileChunk,
  isChunk,
  isSent,
  messageFields,
  textBlock,
  wire,
  type RunOfText,
} from "./message-parts.ts";
import { checkFile } from "../../common/check-file.ts";
import { urlOf } from "../../common/data-url.ts";
import { chatTraits } from "../traits.ts";

export function encodeMessages(
  messages: readonly Message[],
  system: string | readonly TextPart[] | undefined,
  target: EncodeTarget,
  notes: Note[],
): readonly JsonObject[] {
  const { model, quirks } = target;
  const systemRole =
    quirks?.systemRole ?? (model.thinking.kind === "none" ? "system" : "developer");
  const thinkingField = quirks?.thinkingFields?.[0] ?? "reasoning_content";
  const run: RunOfText = {
    target,
    notes,
    seenDetails: new Set(),
    thinkingField,
    emptyThought: /^(required|tool-calls)$/.test(model.replay)
      ? { [thinkingField]: "" }
      : undefined,
    message: 0,
  };
  const out: JsonObject[] = [];
  if (system !== undefined && system.length > 0) {
    const parts = typeof system === "string" ? system : encodeContent(system, run);
    out.push({ role: systemRole, content: parts });
  }
  for (; run.message < messages.length; run.message++) {
    const message = messages[run.message]!;
    if (message.role === "assistant") {
      const encoded = encodeAssistant(message, run);
      if (encoded !== undefined) out.push(encoded);
    } else if (message.role === "tool") pushResults(out, message, run);
    else {
      const content = encodeContent(message.parts, run);
      const role = message.role === "system" ? systemRole : "user";
      const fields = messageFields(message.parts);
      if (content.length > 0) out.push(fields ? { role, content, ...fields } : { role, content });
    }
  }
  return out;
}

/** A plain string if one text says it all: every server takes that. */
function encodeContent(
  parts: readonly (TextPart | FilePart | OpaquePart)[],
  { target, message }: RunOfText,
): string | readonly JsonObject[] {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "text" && only.extra === undefined && isSent(only))
    return only.text;
  const blocks: JsonObject[] = [];
  let plain: string | undefined = "";
  parts.forEach((part, index) => {
    if (!isSent(part)) return;
    if (part.type === "file")
      blocks.push(encodeFile(part, `messages[${message}].parts[${index}]`, target));
    else if (part.type === "text") {
      plain = blocks.length === 0 && extraOn(wire, part) === undefined ? part.text : undefined;
      blocks.push(textBlock(part));
      return;
    } else if (isChunk(part)) blocks.push(part.data);
    else return;
    plain = undefined;
  });
  return plain ?? blocks;
}

function pushResults(out: JsonObject[], message: ToolMessage, run: RunOfText): void {
  const images: JsonObject[] = [];
  for (const part of message.parts) {
    if (part.send === false) continue;
    const content = typeof part.output === "string" ? part.output : encodeOutput(part, images, run);
    out.push({ role: "tool", tool_call_id: part.callId, content, ...extraOn(wire, part) });
  }
  // Tool messages hold text only on most servers; the pictures follow in the user's name.
  if (images.length > 0) out.push({ role: "user", content: images });
}

function encodeOutput(
  { output, name }: ToolResultPart,
  images: JsonObject[],
  run: RunOfText,
): string | readonly JsonObject[] {
  const parts = output as readonly (TextPart | FilePart)[];
  const files = parts.filter((part) => part.type === "file");
  if (files.length === 0 || run.target.quirks?.toolImages === true)
    return encodeContent(parts, run);
  images.push({ type: "text", text: `Files returned by tool "${name}":` });
  for (const file of files) images.push(encodeFile(file, `messages[${run.message}]`, run.target));
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Writes a file as a content part. `at` names the part in an error. */
function encodeFile(part: FilePart, at: string, target: EncodeTarget): JsonObject {
  checkFile(part, at, chatTraits, target);
  const { mediaType, source } = part;
  const extra = extraOn(wire, part);
  const url = urlOf(part);
  if (mediaType.startsWith("image/")) return fileChunk("image_url", { url }, extra);
  if (mediaType.startsWith("audio/") && source.type === "base64") {
    const format = mediaType.slice(6).replace("mpeg", "mp3").replace("x-wav", "wav");
    return fileChunk("input_audio", { data: source.data, format }, extra);
  }
  if (source.type === "id") return fileChunk("file", { file_id: source.id }, extra);
  return fileChunk("file", { filename: part.name ?? "file", file_data: url }, extra);
}
