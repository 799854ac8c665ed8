import type { JsonObject } from "mull";
import { isJsonObject } from "mull/wire";

/**
 * A message as chat backends keep them: AI SDK spelling (`reasoning`, `tool-call`, `tool-result`) or
 * Anthropic's (`thinking`, `tool_use`, `tool_result`). Fields not named here are left alone.
 */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly ChatPart[];
  readonly [field: string]: unknown;
}

/** A part of a chat backend's message. Fields that are not named here are left alone. */
export interface ChatPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Receives a line from each stage of the pipeline. */
export type Log = (line: string) => void;

export const partsOf = (message: ChatMessage): readonly ChatPart[] =>
  typeof message.content === "string" ? [] : message.content;

export const isThinking = (part: ChatPart): boolean =>
  part.type === "thinking" || part.type === "redacted_thinking";

export const isReasoning = (part: ChatPart): boolean => part.type === "reasoning";

export const isCall = (part: ChatPart): boolean =>
  part.type === "tool-call" || part.type === "tool_use";

export const isResult = (part: ChatPart): boolean =>
  part.type === "tool-result" || part.type === "tool_result";

/** Sealed by the service: it checks that such a block comes back untouched. */
export const isSealed = (part: ChatPart): boolean =>
  part.type === "redacted_thinking" ||
  (typeof part["signature"] === "string" && part["signature"] !== "");

/** Anthropic's own data on a part, wherever a version of the AI SDK put it. */
export function anthropicData(part: ChatPart): JsonObject {
  for (const place of [part["providerMetadata"], part["providerOptions"]]) {
    if (isJsonObject(place) && isJsonObject(place["anthropic"])) return place["anthropic"];
  }
  return {};
}
