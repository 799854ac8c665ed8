import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../../types/json.ts";
import type {
  FilePart,
  Message,
  Origin,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from "../../../types/message.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { asObject } from "../../common/json-reading.ts";
import { extraOn, sealedOn } from "../../common/answer.ts";
import { geminiGeneration, requiresSignatures, skipSignature } from "./generation.ts";
import { wire } from "./parts.ts";

// A type and not an interface: only then is it a JSON value to the compiler.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Content = {
  readonly role: "user" | "model";
  readonly parts: JsonObject[];
};

export interface Contents {
  readonly contents: readonly Content[];
  /** There is no system role: what system messages say goes into the one instruction. */
  readonly system: readonly string[];
  /** Calls that were given the skip value. */
  readonly skipped: number;
}

/** The state while parts are written. */
export interface Writing {
  readonly quirks: Quirks | undefined;
  /** Ids that went out with a call: a result may name no other. */
  readonly sentIds: Set<string>;
  /** Before Gemini 3 a result holds no files: they follow as parts of the user's turn. */
  readonly looseFiles: JsonObject[] | undefined;
}

/** The conversation as `contents`: two roles, same-role neighbours in one entry. */
export function writeContents(
  messages: readonly Message[],
  { model, quirks }: EncodeTarget,
): Contents {
  const looseFiles = geminiGeneration(model) >= 3 ? undefined : [];
  const writing: Writing = { quirks, sentIds: new Set(), looseFiles };
  const contents: Content[] = [];
  const system: string[] = [];
  let open: Content | undefined;
  for (const message of messages) {
    if (message.role === "system") {
      for (const part of message.parts)
        if (part.type === "text" && part.send !== false) system.push(part.text);
      continue;
    }
    const origin = message.role === "assistant" ? message.origin : undefined;
    const parts = writeParts(message.parts, origin, writing);
    if (looseFiles) parts.push(...looseFiles.splice(0));
    if (parts.length === 0) continue;
    const role = message.role === "assistant" ? "model" : "user";
    if (open?.role === role) open.parts.push(...parts);
    else contents.push((open = { role, parts }));
  }
  return { contents, system, skipped: requiresSignatures(model) ? markUnsigned(contents) : 0 };
}

export function writeParts(
  parts: readonly Part[],
  origin: Origin | undefined,
  writing: Writing,
): JsonObject[] {
  const written: JsonObject[] = [];
  for (const part of parts) {
    const content = part.send === false ? undefined : writePart(part, origin, writing);
    if (content !== undefined) written.push(content);
  }
  return written;
}

const isOurs = (id: string | undefined): boolean => id === wire;

function writePart(
  part: Part,
  origin: Origin | undefined,
  writing: Writing,
): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return writeText(part);
    case "thinking":
      return writeThought(part, origin);
    case "tool-call":
      return writeCall(part, origin, writing);
    case "tool-result":
      return writeResult(part, writing);
    case "file":
      return { ...writeFile(part), ...writeSeal(part) };
    case "opaque":
    default:
      return isOurs(part.wire) ? { ...part.data, ...writeSeal(part) } : undefined;
  }
}

/** The signature exactly as it came, if it is one of Google's. */
function writeSeal(part: Part): JsonObject | undefined {
  const { thoughtSignature } = sealedOn(wire, part);
  return typeof thoughtSignature === "string" ? { thoughtSignature } : undefined;
}

/** Content with the other fields of its part and with its signature; most parts have neither. */
function withOwn(part: Part, content: JsonObject): JsonObject {
  const fields = extraOn(wire, part);
  const seal = writeSeal(part);
  return fields || seal ? { ...fields, ...content, ...seal } : content;
}

function writeText(part: TextPart): JsonObject | undefined {
  const { text } = part;
  return text === "" && writeSeal(part) === undefined ? undefined : withOwn(part, { text });
}

/** Only Google's own thoughts go back as thoughts; no other text is passed off as one. */
function writeThought(part: ThinkingPart, origin: Origin | undefined): JsonObject | undefined {
  const { text, extra, seal } = part;
  const isOwn = isOurs(seal?.origin.wire) || isOurs(extra?.wire) || isOurs(origin?.wire);
  if (!isOwn || (text === "" && writeSeal(part) === undefined)) return undefined;
  return withOwn(part, { text, thought: true });
}

function writeCall(
  part: ToolCallPart,
  origin: Origin | undefined,
  { quirks, sentIds }: Writing,
): JsonObject {
  const { id, name, input } = part;
  const isForeign = origin !== undefined && !isOurs(origin.wire);
  const hasId = !isForeign && part.localId !== true && quirks?.vertex !== true;
  if (hasId) sentIds.add(id);
  // Arguments are an object; a free-text tool of another vendor has a string.
  const args = isJsonObject(input) ? input : { input };
  const call = hasId ? { id, name, args } : { name, args };
  const more = extraOn(wire, part)?.["functionCall"];
  return withOwn(part, { functionCall: more ? { ...asObject(more), ...call } : call });
}

function writeFile(part: FilePart): JsonObject {
  const { mediaType, source } = part;
  const fields = extraOn(wire, part);
  const field = source.type === "base64" ? "inlineData" : "fileData";
  const inner = asObject(fields?.[field]);
  const mimeType = mediaType !== "" && { mimeType: mediaType };
  if (source.type === "base64") {
    return { ...fields, inlineData: { ...inner, ...mimeType, data: source.data } };
  }
  const fileUri = source.type === "url" ? source.url : source.id;
  return { ...fields, fileData: { ...inner, ...mimeType, fileUri } };
}

function writeResult(part: ToolResultPart, writing: Writing): JsonObject {
  const { callId, name, output, isError } = part;
  const text = typeof output === "string" ? output : textOf(output);
  const response = isError === true ? { error: text } : { output: text };
  const files = typeof output === "string" ? noFiles : writeFiles(output, writing);
  const result = writing.sentIds.has(callId) ? { id: callId, name, response } : { name, response };
  const more = extraOn(wire, part)?.["functionResponse"];
  const functionResponse =
    more || files.length > 0
      ? { ...result, ...asObject(more), ...(files.length > 0 && { parts: files }) }
      : result;
  return withOwn(part, { functionResponse });
}

const noFiles: readonly JsonObject[] = [];

function writeFiles(
  output: readonly (TextPart | FilePart)[],
  { looseFiles }: Writing,
): readonly JsonObject[] {
  const files = output.filter((part) => part.type === "file").map(writeFile);
  if (!looseFiles) return files;
  looseFiles.push(...files);
  return noFiles;
}

const textOf = (output: readonly (TextPart | FilePart)[]): string =>
  output.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/**
 * Puts the documented skip value on the first call of each step of the current turn that has no
 * signature. Earlier turns are not checked by the service; if results and new input share one
 * content, the turn is taken to go on, because one skip value too many is harmless.
 */
function markUnsigned(contents: readonly Content[]): number {
  const turn = contents.findLastIndex(
    ({ role, parts }) => role === "user" && !parts.some((part) => "functionResponse" in part),
  );
  let skipped = 0;
  for (const { role, parts } of contents.slice(turn + 1)) {
    const at = parts.findIndex((part) => "functionCall" in part);
    const call = parts[at];
    if (role !== "model" || call === undefined || "thoughtSignature" in call) continue;
    parts[at] = { thoughtSignature: skipSignature, ...call } satisfies MutableJsonObject;
    skipped++;
  }
  return skipped;
}
