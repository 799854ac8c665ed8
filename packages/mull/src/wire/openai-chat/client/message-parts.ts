import type { JsonObject } from "../../../types/json.ts";
import type { OpaquePart, Part, TextPart } from "../../../types/message.ts";
import type { Note } from "../../../types/plan.ts";
import type { EncodeTarget } from "../../../types/wire.ts";
import { extraOn } from "../../common/answer.ts";
import { asObject, hasKeys } from "../../common/json-reading.ts";

export const wire = "openai-chat";

/** The kind of opaque parts that hold fields of the message itself. */
export const messageFieldsKind = "message-fields";

/** The state of one pass over the history. */
export interface RunOfText {
  readonly target: EncodeTarget;
  readonly notes: Note[];
  /** Ids of reasoning details already sent. */
  readonly seenDetails: Set<string>;
  /** Where thinking goes that came under no name. */
  readonly thinkingField: string;
  /** Stands for missing thinking if the model insists on the field. */
  readonly emptyThought: JsonObject | undefined;
  /** Position of the message being written. */
  message: number;
}

export const textBlock = (part: TextPart): JsonObject => ({
  type: "text",
  text: part.text,
  ...extraOn(wire, part),
});

/**
 * What a file's chunk says besides the file, as it is kept on the part: the fields inside, such as
 * `detail`, or all of them by place if there are some beside it, such as `cache_control`.
 */
export const fileFields = (key: string, inside: JsonObject, beside: JsonObject): JsonObject =>
  hasKeys(beside) ? { [key]: inside, ...beside } : inside;

/** The chunk of a file: what `fileFields` kept returns to its place. */
export function fileChunk(type: string, file: JsonObject, kept: JsonObject = {}): JsonObject {
  const { [type]: inside, ...beside } = kept;
  return inside === undefined
    ? { type, [type]: { ...file, ...kept } }
    : { type, [type]: { ...file, ...asObject(inside) }, ...beside };
}

export const isFields = (part: Part): part is OpaquePart =>
  part.type === "opaque" && part.wire === wire && part.kind === messageFieldsKind;
export const isChunk = (part: OpaquePart): boolean => part.wire === wire && !isFields(part);

export const messageFields = (parts: readonly Part[]): JsonObject | undefined =>
  parts.find(isFields)?.data;

export const isSent = (part: Part): boolean => part.send !== false;
