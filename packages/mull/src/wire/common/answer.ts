import { MullError } from "../../types/error.ts";
import type { Finish, Reply, StreamEvent } from "../../types/event.ts";
import { pick, type JsonObject } from "../../types/json.ts";
import type {
  AssistantPart,
  Seal,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  WireExtra,
  WireId,
} from "../../types/message.ts";
import type { Usage } from "../../types/usage.ts";
import type { DecodeContext } from "../../types/wire.ts";
import { hasKeys } from "./json-reading.ts";

type Unsure<T> = { readonly [Field in keyof T]: T[Field] | undefined };

/** Without the fields that are undefined: a stored reply must not hold them. */
export const given = <T extends object>(fields: Unsure<T>): T =>
  pick(fields, Object.keys(fields) as (keyof T)[]) as T;

/** The event that begins an answer; an empty name is none. */
export const startEvent = (id = "", model = ""): Extract<StreamEvent, { type: "start" }> =>
  given({ type: "start" as const, id: id || undefined, model: model || undefined });

/** Who sealed a part, and the prefix that the seal is bound to. */
export type SealSource = Pick<DecodeContext, "origin" | "prefix">;

export const makeSeal = (data: JsonObject, { origin, prefix }: SealSource): Seal =>
  prefix === undefined ? { origin, data } : { origin, prefix, data };

interface Said {
  readonly finish: Finish;
  readonly usage: Usage;
  readonly id?: string | undefined;
  readonly servedModel?: string | undefined;
  readonly echo?: JsonObject | undefined;
  readonly metadata: JsonObject;
}

/** Makes a reply from its parts and the fields around them. Empty fields are left out. */
export const makeReply = (
  parts: readonly AssistantPart[],
  { id, servedModel, metadata, ...said }: Said,
  { origin }: Pick<DecodeContext, "origin">,
): Reply =>
  given<Reply>({
    message: { role: "assistant", parts, origin },
    ...said,
    id: id || undefined,
    servedModel: servedModel || undefined,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  });

/** What arrived of an answer that broke off. */
export const cutReply = (reply: Reply): Reply => ({
  ...reply,
  message: { ...reply.message, interrupted: true },
  finish: { reason: "error", note: "the answer broke off" },
});

type Counts = Omit<Usage, "raw" | "warning" | "estimated">;

/** The counts of an answer; one that comes out below zero is zero, and a warning says why. */
export const makeUsage = (
  raw: JsonObject,
  { input, output, thinking, thinkingSource = "reported", ...counts }: Unsure<Counts>,
  warnings: readonly (string | false | undefined)[],
): Usage =>
  given<Usage>({
    raw,
    input: input && Math.max(0, input),
    output: output && Math.max(0, output),
    thinking,
    thinkingSource: thinking === undefined ? undefined : thinkingSource,
    ...counts,
    warning: warnings.filter(Boolean).join("; ") || undefined,
  });

export const protocolError = (
  message: string,
  code: string,
  { origin }: Pick<DecodeContext, "origin">,
  partial?: Reply,
): MullError =>
  new MullError(message, { category: "protocol", code, provider: origin.provider, partial });

/** A part whose stream broke: readable, never sent, without anything sealed. */
const cut = { cut: true, send: false } as const;

export const cutText = (text: string, isRefusal = false): TextPart => ({
  type: "text",
  text,
  ...(isRefusal && { refusal: true }),
  ...cut,
});

export const cutThought = (
  text: string,
  visibility: ThinkingPart["visibility"],
  times: Pick<ThinkingPart, "startedAt" | "durationMs">,
): ThinkingPart => ({ type: "thinking", text, visibility, ...times, ...cut });

export const cutCall = (
  call: Pick<ToolCallPart, "id" | "name" | "localId">,
  raw: string,
): ToolCallPart => ({
  type: "tool-call",
  ...call,
  input: {},
  invalid: { raw, reason: "the stream broke inside the arguments" },
  ...cut,
});

/** Fields that mull does not model, kept for the wire they came over. */
export const extraFor = (wire: WireId, fields: JsonObject): { readonly extra?: WireExtra } =>
  hasKeys(fields) ? { extra: { wire, fields } } : {};

/** The fields that came over this wire. Those of other wires are ignored. */
export const extraOn = (
  wire: WireId,
  { extra }: { readonly extra?: WireExtra },
): JsonObject | undefined => (extra?.wire === wire ? extra.fields : undefined);

/** The data of a seal that this wire made. Seals of other wires are ignored. */
export const sealedOn = (wire: WireId, { seal }: { readonly seal?: Seal }): JsonObject =>
  seal?.origin.wire === wire ? seal.data : unsealed;

const unsealed: JsonObject = {};

/**
 * A text that arrives in pieces, which are joined 128 at a time. `+=` for each piece keeps two small
 * objects a piece alive to the end: with 50 streams at once, decoding then takes 8 % longer.
 */
export interface GrowingText {
  joined: string;
  pieces: string[];
}

export const newText = (): GrowingText => ({ joined: "", pieces: [] });

export function grow(text: GrowingText, piece: string): void {
  if (text.pieces.push(piece) === 128) wholeText(text);
}

export const hasNoText = ({ joined, pieces }: GrowingText): boolean =>
  joined === "" && pieces.length === 0;

export function wholeText(text: GrowingText): string {
  text.joined += text.pieces.join("");
  text.pieces = [];
  return text.joined;
}
