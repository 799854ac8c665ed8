import type { JsonObject, JsonValue } from "./json.ts";

/** The ids of all wires. */
export const wireIds = [
  "anthropic-messages",
  "openai-responses",
  "openai-chat",
  "google-generate",
] as const;
/** The id of a wire: one HTTP format, which several vendors may use. */
export type WireId = (typeof wireIds)[number];

/** Where a part was made. Its seal can be read only there. */
export interface Origin {
  readonly wire: WireId;
  /** Provider id, e.g. `anthropic`, `openrouter`. */
  readonly provider: string;
  /** Origin of the base URL, e.g. `https://api.anthropic.com`. */
  readonly endpoint?: string;
  /** The model id that was asked for. */
  readonly model: string;
  /** Fingerprint of the account's key, never the key. */
  readonly account?: string;
  /** An emulator answered: no service can open what it sealed. */
  readonly simulated?: true;
}

/**
 * Opaque data a provider wants back unchanged on the same part: a signature, redacted data,
 * encrypted content, a thought signature, an item id. Only the wire that made it reads `data`.
 */
export interface Seal {
  readonly origin: Origin;
  /** Fingerprint of system, tools and earlier messages, if the model binds its seals to them. */
  readonly prefix?: string;
  /** The service refused it when it was sent back. It is kept, but not sent again. */
  readonly refused?: true;
  readonly data: JsonObject;
}

/** Fields of a wire's block that mull does not model. Written back on the same wire, ignored elsewhere. */
export interface WireExtra {
  readonly wire: WireId;
  readonly fields: JsonObject;
}

interface PartBase {
  readonly seal?: Seal;
  readonly extra?: WireExtra;
  /** `false`: people do not see this part. */
  readonly show?: false;
  /** `false`: this part is never sent to a model again. */
  readonly send?: false;
}

/** A piece of text. */
export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
  /** The model declined; the text is its refusal, not an answer. */
  readonly refusal?: true;
  /** The stream broke inside this part. */
  readonly cut?: true;
}

/** A block of thinking. Its text may be a summary, or empty if the service withholds it. */
export interface ThinkingPart extends PartBase {
  readonly type: "thinking";
  /** Empty when the provider withholds it. */
  readonly text: string;
  readonly visibility: "full" | "summary" | "hidden" | "redacted";
  /** The stream broke inside this part: readable, `send` is false. */
  readonly cut?: true;
  /** Milliseconds since the epoch and length, stamped while the block streamed. */
  readonly startedAt?: number;
  readonly durationMs?: number;
}

/** A call that the model makes to a tool. */
export interface ToolCallPart extends PartBase {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** An object for function tools; a string for free-text tools. */
  readonly input: JsonValue;
  /**
   * The arguments as they arrived, if `JSON.stringify(input)` is another text: `1.0`, integers of
   * 20 digits, a key twice. Sent back in place of `input` for as long as it means the same.
   */
  readonly inputText?: string;
  /** The text that arrived if it was not usable JSON. The call is not run; `input` is `{}`. */
  readonly invalid?: { readonly raw: string; readonly reason: string };
  /** A person approved the call. Without a result it may have run. Never sent. */
  readonly approved?: true;
  /** The id was made here because the service gave none; it is not sent to services that give ids. */
  readonly localId?: true;
  readonly cut?: true;
}

/** The result of one tool call. */
export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly callId: string;
  readonly name: string;
  readonly output: string | readonly (TextPart | FilePart)[];
  readonly isError?: true;
  /** Why a person did not allow the call; empty if no reason was given. Never sent. */
  readonly refused?: string;
  /** How long the tool ran; absent if unknown. Never sent. */
  readonly durationMs?: number;
}

/** A file: its bytes, its address, or its id at the service. */
export interface FilePart extends PartBase {
  readonly type: "file";
  readonly mediaType: string;
  readonly source:
    | { readonly type: "base64"; readonly data: string }
    | { readonly type: "url"; readonly url: string }
    | { readonly type: "id"; readonly id: string };
  readonly name?: string;
}

/** A block mull does not model (server tools, compaction, …), kept verbatim for its own wire. */
export interface OpaquePart extends PartBase {
  readonly type: "opaque";
  readonly wire: WireId;
  /** The type of the block on that wire. */
  readonly kind: string;
  readonly data: JsonObject;
}

/** A part of a message from the user. */
export type UserPart = TextPart | FilePart | OpaquePart;
/** A part of a message from a model. */
export type AssistantPart = TextPart | ThinkingPart | ToolCallPart | FilePart | OpaquePart;
/** Any part of a message. */
export type Part = UserPart | AssistantPart | ToolResultPart;

/** Instructions to the model inside the conversation. */
export interface SystemMessage {
  readonly role: "system";
  readonly parts: readonly (TextPart | OpaquePart)[];
}
/** A message from the user. */
export interface UserMessage {
  readonly role: "user";
  readonly parts: readonly UserPart[];
}
/** A message from a model. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
  /** The model that answered; absent on messages that were typed in or imported. */
  readonly origin?: Origin;
  /** The turn was stopped or its stream broke. */
  readonly interrupted?: true;
  /** What was sent about thinking, in one word: an effort, a level, a budget, `off`; `auto` for nothing. */
  readonly effort?: string;
}
/** The results of the tool calls of the assistant message before it. */
export interface ToolMessage {
  readonly role: "tool";
  readonly parts: readonly ToolResultPart[];
}
/** One message of a conversation. Its parts are in the order in which they arrived. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
