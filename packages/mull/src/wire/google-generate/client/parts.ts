import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type {
  FilePart,
  OpaquePart,
  Seal,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  WireExtra,
} from "../../../types/message.ts";
import { makeSeal, type SealSource, extraFor } from "../../common/answer.ts";
import { hasKeys } from "../../common/json-reading.ts";
import { checkToolInput } from "../../common/tool-input.ts";
import { isTooDeep } from "./json-reading.ts";

export const wire = "google-generate";

/** Fields of a part, besides its one data field, that mull models. */
const modelled: ReadonlySet<string> = new Set(["text", "thought", "thoughtSignature"]);

/** The data field of a part: `text`, `functionCall`, `inlineData`, … */
export function partKind(part: JsonObject): string | undefined {
  if (typeof part["text"] === "string") return "text";
  return Object.keys(part).find((key) => part[key] !== undefined && !modelled.has(key));
}

function readSeal(part: JsonObject, source: SealSource): { readonly seal?: Seal } {
  const thoughtSignature = part["thoughtSignature"];
  if (typeof thoughtSignature !== "string" || thoughtSignature === "") return {};
  return { seal: makeSeal({ thoughtSignature }, source) };
}

/** The fields of a part that mull does not model, to be sent back. */
export function readExtra(
  part: JsonObject,
  known: (key: string) => boolean,
): { readonly extra?: WireExtra } {
  const fields = rest(part, known);
  return hasKeys(fields) && isTooDeep(fields) ? {} : extraFor(wire, fields);
}

const rest = (object: JsonObject, known: (key: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !known(key)));

export const textPart = (text: string, part: JsonObject, source: SealSource): TextPart => ({
  type: "text",
  text,
  ...readSeal(part, source),
  ...readExtra(part, (key) => modelled.has(key)),
});

/** Reads a thought. Google shows summaries; a thought without text only carries its signature. */
export const thinkingPart = (text: string, part: JsonObject, source: SealSource): ThinkingPart => ({
  type: "thinking",
  text,
  visibility: text === "" ? "hidden" : "summary",
  ...readSeal(part, source),
  ...readExtra(part, (key) => modelled.has(key)),
});

const callFields: ReadonlySet<string> = new Set("id name args partialArgs willContinue".split(" "));

/** Fields inside `functionCall` and next to it that go back with it. */
function callExtra(part: JsonObject, call: JsonObject): { readonly extra?: WireExtra } {
  const { functionCall: _, thoughtSignature: __, ...beside } = part;
  const inner = rest(call, (key) => callFields.has(key));
  return readExtra(hasKeys(inner) ? { ...beside, functionCall: inner } : beside, () => false);
}

export interface CallHead {
  readonly id: string;
  readonly localId?: true;
  readonly name: string;
}

export const callPart = (
  head: CallHead,
  args: unknown,
  part: JsonObject,
  call: JsonObject,
  source: SealSource,
): ToolCallPart => ({
  type: "tool-call",
  ...head,
  ...checkToolInput(args),
  ...readSeal(part, source),
  ...callExtra(part, call),
});

/** A file or a block that mull does not model; `undefined` if the part holds nothing. */
export function otherPart(part: JsonObject, source: SealSource): FilePart | OpaquePart | undefined {
  const kind = partKind(part);
  if (kind === undefined) return undefined;
  const seal = readSeal(part, source);
  const file = readFile(part);
  if (file !== undefined) return { ...file, ...seal };
  const { thoughtSignature: _, ...data } = part;
  if (isTooDeep(data)) return undefined;
  return { type: "opaque", wire, kind, data, ...seal };
}

function readFile(part: JsonObject): FilePart | undefined {
  const { inlineData, fileData, thoughtSignature: _, ...beside } = part;
  if (isJsonObject(inlineData)) {
    const { mimeType, data, ...inner } = inlineData;
    if (typeof mimeType !== "string" || typeof data !== "string") return undefined;
    const source = { type: "base64", data } as const;
    return { type: "file", mediaType: mimeType, source, ...fileExtra(beside, "inlineData", inner) };
  }
  if (!isJsonObject(fileData)) return undefined;
  const { mimeType, fileUri, ...inner } = fileData;
  if (typeof fileUri !== "string") return undefined;
  const mediaType = typeof mimeType === "string" ? mimeType : "";
  const source = { type: "url", url: fileUri } as const;
  return { type: "file", mediaType, source, ...fileExtra(beside, "fileData", inner) };
}

const fileExtra = (
  beside: JsonObject,
  field: string,
  inner: JsonObject,
): { readonly extra?: WireExtra } =>
  readExtra(hasKeys(inner) ? { ...beside, [field]: inner } : beside, () => false);
