import type { JsonObject } from "mull";

/** Data that the AI SDK carries for a provider; mull keeps its own under `mull`. */
export type ProviderMetadata = Readonly<Record<string, JsonObject>>;

/**
 * A message of the AI SDK's user interface, as far as mull reads and writes it. Structurally the
 * `UIMessage` of `ai` 6 and 7; a turn with its whole tool loop is one message.
 */
export interface UIMessage {
  readonly id: string;
  readonly role: "system" | "user" | "assistant";
  readonly metadata?: unknown;
  readonly parts: readonly UIPart[];
}

/** A part of a UI message. */
export type UIPart =
  | UITextPart
  | UIReasoningPart
  | UIToolPart
  | UIFilePart
  | UIDataPart
  | UIOtherPart;

export interface UITextPart {
  readonly type: "text";
  readonly text: string;
  readonly state?: "streaming" | "done";
  readonly providerMetadata?: ProviderMetadata;
}

export interface UIReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly state?: "streaming" | "done";
  readonly providerMetadata?: ProviderMetadata;
}

/** `tool-<name>`, or `dynamic-tool` with the name next to it. */
export interface UIToolPart {
  readonly type: `tool-${string}` | "dynamic-tool";
  readonly toolName?: string;
  readonly toolCallId: string;
  readonly state: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  /** A person's decision, if the tool asks first; denied calls are in state `output-denied`. */
  readonly approval?: {
    readonly id: string;
    readonly approved?: boolean;
    readonly reason?: string;
  };
  readonly callProviderMetadata?: ProviderMetadata;
  readonly resultProviderMetadata?: ProviderMetadata;
}

export interface UIFilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly url: string;
  readonly filename?: string;
  readonly providerMetadata?: ProviderMetadata;
}

export interface UIDataPart {
  readonly type: `data-${string}`;
  readonly id?: string;
  readonly data: unknown;
}

/** `step-start`, sources and whatever else a client put there. */
export interface UIOtherPart {
  readonly type: "step-start" | "source-url" | "source-document";
}

export const isToolPart = (part: UIPart): part is UIToolPart =>
  part.type === "dynamic-tool" || part.type.startsWith("tool-");

export const isDataPart = (part: UIPart): part is UIDataPart => part.type.startsWith("data-");

export const toolNameOf = (part: UIToolPart): string =>
  part.type === "dynamic-tool" ? (part.toolName ?? "") : part.type.slice("tool-".length);

/** Parts of ours that no client shows: what belongs to a step, a part, a whole message. */
export const stepPart = "data-mull-step";
export const keptPart = "data-mull-part";
export const fallbackPart = "data-mull-fallback";
export const keptMessage = "data-mull-message";
