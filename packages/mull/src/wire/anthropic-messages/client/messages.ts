import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  Message,
  OpaquePart,
  Part,
  TextPart,
  ToolResultPart,
} from "../../../types/message.ts";
import { warning, type Note } from "../../../types/plan.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { asObject } from "../../common/json-reading.ts";
import { extraOn, sealedOn } from "../../common/answer.ts";
import { checkFile } from "../../common/check-file.ts";
import { anthropicTraits } from "../traits.ts";
import { effortUpdate, wire } from "./parts.ts";

/** What is collected while parts are written, and the current place. Paths are made for errors only. */
export interface Writing {
  readonly target: EncodeTarget;
  readonly notes: Note[];
  readonly betas: string[];
  message: number;
  part: number;
}

const pathOf = ({ message, part }: Writing): string => `messages.${message}.parts.${part}`;

/** The messages, and the text blocks that belong in the `system` field. */
export function writeMessages(
  messages: readonly Message[],
  cached: boolean | "1h" | undefined,
  writing: Writing,
): { readonly system: readonly JsonObject[]; readonly messages: readonly JsonObject[] } {
  const system: JsonObject[] = [];
  const written: JsonObject[] = [];
  let open: { readonly role: string; readonly content: JsonObject[] } | undefined;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    writing.message = at;
    const content = writeParts(message.parts, message.role, writing);
    if (message.role === "assistant") {
      callsBehindText(content);
      dropTrailingThinking(content, writing);
    }
    const update = message.role === "system" && message.parts.find(isUpdate);
    if (update) {
      if (writing.target.model.effortUpdates !== true) continue;
      writing.betas.push("mid-conversation-output-config-2026-07-01");
      open = undefined;
      written.push({ role: "system", content, output_config: update.data });
      continue;
    }
    if (content.length === 0) continue;
    const role = message.role === "tool" ? "user" : message.role;
    if (role === "system" && !standsInline(messages, at, writing.target)) system.push(...content);
    else if (open?.role === role) open.content.push(...content);
    else written.push((open = { role, content }));
  }
  if (cached) markCached(open?.content ?? [], cached);
  return { system, messages: written };
}

const isUpdate = (part: Part): part is OpaquePart =>
  part.type === "opaque" && part.wire === wire && part.kind === effortUpdate;

/** The role next to a run of system messages. */
export function roleBeside(
  messages: readonly { readonly role: string }[],
  at: number,
  step: 1 | -1,
): string | undefined {
  let i = at;
  while (messages[i]?.role === "system") i += step;
  return messages[i]?.role;
}

/** Newer models take a system message after a user's turn, if the model's turn comes next. */
function standsInline(messages: readonly Message[], at: number, target: EncodeTarget): boolean {
  const before = roleBeside(messages, at, -1);
  return (
    target.model.systemMessages === true &&
    (before === "user" || before === "tool") &&
    (roleBeside(messages, at, 1) ?? "assistant") === "assistant"
  );
}

export function writeParts(
  parts: readonly Part[],
  role: Message["role"],
  writing: Writing,
): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const [at, part] of parts.entries()) {
    writing.part = at;
    const block = part.send === false ? undefined : writeBlock(part, role, writing);
    if (block === undefined) continue;
    const extra = extraOn(wire, part);
    blocks.push(extra ? { ...block, ...extra } : block);
  }
  return blocks;
}

function writeBlock(part: Part, role: Message["role"], writing: Writing): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return writeText(part);
    case "thinking":
      return writeThought(part, writing.target);
    case "tool-call":
      return {
        type: "tool_use",
        id: part.id,
        name: part.name,
        input: isJsonObject(part.input) ? part.input : { input: part.input },
      };
    case "tool-result":
      return writeResult(part, writing);
    case "file":
      return role === "assistant" ? dropFile(writing) : writeFile(part, writing);
    case "opaque":
    default:
      return part.wire === wire && part.kind !== effortUpdate ? part.data : undefined;
  }
}

function dropFile(writing: Writing): undefined {
  const message = `${pathOf(writing)}: Claude takes no files in its own turns`;
  writing.notes.push(warning("file-dropped", message));
}

/** The service refuses empty text. */
const writeText = ({ text }: TextPart): JsonObject | undefined =>
  text === "" ? undefined : { type: "text", text };

function writeThought(
  part: Extract<AssistantPart, { type: "thinking" }>,
  target: EncodeTarget,
): JsonObject | undefined {
  const data = sealedOn(wire, part);
  if (data["redacted"] !== undefined) {
    return { type: "redacted_thinking", data: data["redacted"] };
  }
  if (data["signature"] !== undefined) {
    return { type: "thinking", thinking: part.text, signature: data["signature"] };
  }
  return target.quirks?.unsignedThinking === true && part.visibility !== "redacted"
    ? { type: "thinking", thinking: part.text, signature: "" }
    : undefined;
}

function writeResult(part: ToolResultPart, writing: Writing): JsonObject {
  const { callId: tool_use_id, output, isError } = part;
  const content = typeof output === "string" ? output : writeOutput(output, isError, writing);
  if (!isError) return { type: "tool_result", tool_use_id, content };
  const said = content.length > 0 ? content : "The tool failed.";
  return { type: "tool_result", tool_use_id, content: said, is_error: true };
}

/** A failed result may hold text only. */
const writeOutput = (
  output: readonly (TextPart | FilePart)[],
  isError: true | undefined,
  writing: Writing,
): readonly JsonObject[] => {
  const { part } = writing;
  const taken = isError ? output.filter(({ type }) => type === "text") : output;
  const blocks = writeParts(taken, "tool", writing);
  writing.part = part;
  return blocks;
};

function writeFile(part: FilePart, writing: Writing): JsonObject {
  const { mediaType, source } = part;
  const kind = mediaType.startsWith("image/") ? "image" : "document";
  checkFile(part, pathOf(writing), anthropicTraits, writing.target);
  if (source.type === "id") writing.betas.push("files-api-2025-04-14");
  return {
    type: kind,
    source: writeSource(mediaType, source),
    ...(kind === "document" && part.name !== undefined && { title: part.name }),
  };
}

function writeSource(mediaType: string, source: FilePart["source"]): JsonObject {
  if (source.type === "url") return { type: "url", url: source.url };
  if (source.type === "id") return { type: "file", file_id: source.id };
  return mediaType === "text/plain"
    ? { type: "text", media_type: mediaType, data: decodeText(source.data) }
    : { type: "base64", media_type: mediaType, data: source.data };
}

const decodeText = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));

const isThought = (block: JsonObject | undefined): boolean =>
  block?.["type"] === "thinking" || block?.["type"] === "redacted_thinking";

/**
 * The trap: `[tool_use, text]` makes the service look for the call's result in the text. So the text moves before
 * the calls, and nothing else moves: a thought in another place counts as edited.
 */
export function callsBehindText(blocks: JsonValue[]): void {
  const typeAt = (at: number): JsonValue | undefined => asObject(blocks[at])["type"];
  for (let at = 1; at < blocks.length; at++) {
    let to = at;
    while (typeAt(at) === "text" && typeAt(to - 1) === "tool_use") to--;
    if (to < at) blocks.splice(to, 0, ...blocks.splice(at, 1));
  }
}

/** An assistant message that ends in thinking is refused. */
function dropTrailingThinking(blocks: JsonObject[], { message, notes }: Writing): void {
  while (isThought(blocks.at(-1))) {
    blocks.pop();
    const words = `messages.${message}: nothing followed a thought, so it stays here`;
    notes.push(warning("thinking-dropped", words));
  }
}

/** Marks the end of what should be cached; thinking blocks cannot carry the mark. */
export function markCached(blocks: JsonObject[], kept: true | "1h"): void {
  const at = blocks.findLastIndex((block) => !isThought(block));
  if (at >= 0)
    blocks[at] = {
      ...blocks[at],
      cache_control: { type: "ephemeral", ...(kept === "1h" && { ttl: kept }) },
    };
}
