import { invalidArgument } from "../../types/error.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../../types/json.ts";
import type {
  AssistantMessage,
  FilePart,
  Message,
  Part,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from "../../types/message.ts";
import type { Model } from "../../types/model.ts";
import type { Quirks } from "../../types/quirks.ts";
import type { EncodeTarget } from "../../types/wire.ts";
import { geminiGeneration, requiresSignatures, skipSignature } from "./generation.ts";

// A type and not an interface: only then is it a JSON value to the compiler.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Content = {
  readonly role: "user" | "model";
  readonly parts: JsonObject[];
};

/** What of the target bears on a single part. */
export interface PartTarget {
  readonly model: Pick<Model, "id" | "files">;
  readonly quirks?: Quirks;
}

export interface Contents {
  readonly contents: readonly Content[];
  /** Calls that were given the skip value. */
  readonly skipped: number;
}

/** The conversation as `contents`: two roles, same-role neighbours in one entry. */
export function writeContents(messages: readonly Message[], target: EncodeTarget): Contents {
  const contents: Content[] = [];
  // Ids that went out with a call: a result may name no other.
  const sentIds = new Set<string>();
  const append = (role: Content["role"], parts: JsonObject[]): void => {
    if (parts.length === 0) return;
    const before = contents.at(-1);
    if (before?.role === role) before.parts.push(...parts);
    else contents.push({ role, parts });
  };
  // Before Gemini 3 a result holds no files: they follow as parts of the user's turn.
  const holdsFiles = geminiGeneration(target.model) >= 3;
  for (const message of messages) {
    if (message.role === "assistant") append("model", writeAnswer(message, target, sentIds));
    else if (message.role === "tool") {
      append("user", writeResults(message.parts, target, sentIds, holdsFiles));
    } else if (message.role === "user") {
      append(
        "user",
        message.parts.flatMap((part) => writePlain(part, target)),
      );
    }
  }
  return { contents, skipped: requiresSignatures(target.model) ? markUnsigned(contents) : 0 };
}

const isOurs = (wire: string | undefined): boolean => wire === "google-generate";

/** An answer as parts. The ids that went with its calls are added to `sentIds`. */
export function writeAnswer(
  message: AssistantMessage,
  target: PartTarget,
  sentIds: Set<string>,
): JsonObject[] {
  const isForeign = message.origin !== undefined && !isOurs(message.origin.wire);
  const written: JsonObject[] = [];
  for (const part of message.parts) {
    if (part.send === false) continue;
    if (part.type === "thinking") written.push(...writeThought(part, message));
    else if (part.type !== "tool-call") written.push(...writePlain(part, target));
    else {
      const hasId = !isForeign && part.localId !== true && target.quirks?.vertex !== true;
      if (hasId) sentIds.add(part.id);
      written.push(writeCall(part, hasId));
    }
  }
  return written;
}

/** Only Google's own thoughts go back as thoughts; no other text is passed off as one. */
function writeThought(part: ThinkingPart, message: AssistantMessage): JsonObject[] {
  const isOwn =
    isOurs(part.seal?.origin.wire) || isOurs(part.extra?.wire) || isOurs(message.origin?.wire);
  const seal = writeSeal(part);
  if (!isOwn || (part.text === "" && seal === undefined)) return [];
  if (part.extra === undefined) return [{ text: part.text, thought: true, ...seal }];
  return [{ ...writeExtra(part), text: part.text, thought: true, ...seal }];
}

function writeCall(part: ToolCallPart, hasId: boolean): JsonObject {
  // Arguments are an object; a free-text tool of another vendor has a string.
  const args = isJsonObject(part.input) ? part.input : { input: part.input };
  if (part.extra === undefined && hasId) {
    return { functionCall: { id: part.id, name: part.name, args }, ...writeSeal(part) };
  }
  const fields = writeExtra(part);
  const functionCall = {
    ...(isJsonObject(fields["functionCall"]) && fields["functionCall"]),
    ...(hasId && { id: part.id }),
    name: part.name,
    args,
  };
  return { ...fields, functionCall, ...writeSeal(part) };
}

/** The signature exactly as it came, where it is one of Google's. */
function writeSeal({ seal }: Part): JsonObject | undefined {
  const thoughtSignature = isOurs(seal?.origin.wire) ? seal?.data["thoughtSignature"] : undefined;
  return typeof thoughtSignature === "string" ? { thoughtSignature } : undefined;
}

const writeExtra = ({ extra }: Part): JsonObject =>
  extra !== undefined && isOurs(extra.wire) ? extra.fields : {};

function writePlain(
  part: Exclude<Part, ThinkingPart | ToolCallPart | ToolResultPart>,
  target: PartTarget,
): JsonObject[] {
  if (part.send === false) return [];
  const seal = writeSeal(part);
  if (part.type === "file") return [{ ...writeFile(part, target), ...seal }];
  if (part.type === "opaque") return isOurs(part.wire) ? [{ ...part.data, ...seal }] : [];
  if (part.text === "" && seal === undefined) return [];
  if (part.extra === undefined && seal === undefined) return [{ text: part.text }];
  return [{ ...writeExtra(part), text: part.text, ...seal }];
}

function writeFile(part: FilePart, target: PartTarget): JsonObject {
  const { mediaType, source } = part;
  refuseFile(mediaType, target);
  const fields = writeExtra(part);
  const field = source.type === "base64" ? "inlineData" : "fileData";
  const inner = isJsonObject(fields[field]) ? fields[field] : {};
  const mimeType = mediaType !== "" && { mimeType: mediaType };
  if (source.type === "base64") {
    return { ...fields, inlineData: { ...inner, ...mimeType, data: source.data } };
  }
  const fileUri = source.type === "url" ? source.url : source.id;
  return { ...fields, fileData: { ...inner, ...mimeType, fileUri } };
}

function refuseFile(mediaType: string, { model }: PartTarget): void {
  const isImage = mediaType.startsWith("image/");
  const isRefused = isImage
    ? model.files?.images === false
    : mediaType === "application/pdf" && model.files?.pdf === false;
  if (isRefused) {
    const rest = model.files?.images === true && !isImage ? "text and images" : "text";
    throw invalidArgument("file part", mediaType, `${rest} on ${model.id}`);
  }
}

function writeResults(
  results: readonly ToolResultPart[],
  target: EncodeTarget,
  sentIds: ReadonlySet<string>,
  holdsFiles: boolean,
): JsonObject[] {
  const loose: JsonObject[] = [];
  const written: JsonObject[] = [];
  for (const part of results) {
    if (part.send === false) continue;
    const files = resultFiles(part).map((file) => writeFile(file, target));
    if (!holdsFiles) loose.push(...files);
    written.push(writeResult(part, holdsFiles ? files : [], sentIds));
  }
  written.push(...loose);
  return written;
}

const resultFiles = ({ output }: ToolResultPart): readonly FilePart[] =>
  typeof output === "string" ? [] : output.filter((part) => part.type === "file");

function writeResult(
  part: ToolResultPart,
  files: readonly JsonObject[],
  sentIds: ReadonlySet<string>,
): JsonObject {
  const text = resultText(part);
  const { callId, name, isError, extra, seal } = part;
  if (extra === undefined && seal === undefined && files.length === 0 && sentIds.has(callId)) {
    const response = isError === true ? { error: text } : { output: text };
    return { functionResponse: { id: callId, name, response } };
  }
  const fields = writeExtra(part);
  const inner = isJsonObject(fields["functionResponse"]) ? fields["functionResponse"] : {};
  return {
    ...fields,
    functionResponse: {
      ...(sentIds.has(part.callId) && { id: part.callId }),
      name: part.name,
      response: part.isError === true ? { error: text } : { output: text },
      ...inner,
      ...(files.length > 0 && { parts: files }),
    },
    ...writeSeal(part),
  };
}

const resultText = ({ output }: ToolResultPart): string =>
  typeof output === "string"
    ? output
    : output.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/**
 * Puts the documented skip value on the first call of each step of the current turn that has no
 * signature. Earlier turns are not checked by the service; where results and new input share one
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
    parts[at] = { ...call, thoughtSignature: skipSignature } satisfies MutableJsonObject;
    skipped++;
  }
  return skipped;
}
