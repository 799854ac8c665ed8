import type { AgentEvent, JsonObject, MullError } from "mull";
import { isMullError } from "mull";
import { createUIWriter, type UIChunk } from "@mull/ui-messages";

/** A turn's chunks in the one form that live and stored turns share. */
export interface ChunkWriter {
  readonly start: (messageId: string, metadata: JsonObject) => UIChunk;
  readonly write: (event: AgentEvent) => readonly UIChunk[];
  readonly close: () => readonly UIChunk[];
}

/**
 * Arguments of calls are given whole, not in pieces: how a service spells their JSON is not stored,
 * so pieces of it could not be numbered the same when the turn is read back.
 */
export function createChunkWriter(): ChunkWriter {
  const writer = createUIWriter();
  const begun = new Set<string>();
  const settle = (chunk: UIChunk): readonly UIChunk[] => {
    if (chunk.type === "tool-input-delta") return [];
    const id = typeof chunk["toolCallId"] === "string" ? chunk["toolCallId"] : "";
    if (chunk.type === "tool-input-start") {
      begun.add(id);
      return [chunk];
    }
    const isCall = chunk.type === "tool-input-available" || chunk.type === "tool-input-error";
    if (!isCall || begun.has(id)) return [chunk];
    begun.add(id);
    const { toolCallId, toolName } = chunk;
    return [{ type: "tool-input-start", toolCallId, toolName }, chunk];
  };
  return {
    start: (messageId, messageMetadata) => ({ type: "start", messageId, messageMetadata }),
    write: (event) => {
      const chunks = writer.write(event);
      return mayCall(event) ? chunks.flatMap(settle) : chunks;
    },
    close: () => writer.close(),
  };
}

/** Most events are pieces of text; they need no second look. */
const mayCall = (event: AgentEvent): boolean =>
  event.type === "answer" && event.event.type !== "text" && event.event.type !== "thinking";

/** The last chunk of a turn that has no answer. */
export const endChunk = (
  state: "stopped" | "failed" | "interrupted",
  error: JsonObject | undefined,
): UIChunk => {
  const message = typeof error?.["message"] === "string" ? error["message"] : undefined;
  return state === "failed"
    ? { type: "error", errorText: message ?? "The turn failed." }
    : { type: "abort", reason: message ?? state };
};

/** What is kept of an error on a turn: allow-listed fields, scrubbed. */
export const errorRecord = (error: unknown, scrub: (text: string) => string): JsonObject => {
  if (!isMullError(error)) return { code: "internal", message: "Something went wrong here." };
  const { category, code, message, rule, fix, provider, requestId, retryAfterMs, retryable } =
    error satisfies MullError;
  return JSON.parse(
    JSON.stringify({
      category,
      code,
      message: scrub(message),
      rule,
      fix: fix === undefined ? undefined : scrub(fix),
      provider,
      requestId,
      retryAfterMs,
      retryable,
    }),
  ) as JsonObject;
};
