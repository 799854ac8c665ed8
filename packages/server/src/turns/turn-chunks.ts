import type { JsonObject, Usage } from "mull";
import { addUsage } from "mull/wire";
import type { Turn } from "@mull/store";
import { createUIWriter, type UIChunk, type UIEvent } from "@mull/ui-messages";

/** A turn's chunks, in the form that live and stored turns share. */
export interface ChunkWriter {
  readonly start: (messageId: string, metadata: object) => UIChunk;
  readonly write: (event: UIEvent) => readonly UIChunk[];
  readonly close: () => readonly UIChunk[];
}

/**
 * Sends a call's arguments whole, not in pieces: the store doesn't keep how a service spelled their
 * JSON, so pieces couldn't get the same numbers when the turn is read back.
 */
export function createChunkWriter(): ChunkWriter {
  const writer = createUIWriter();
  const begun = new Set<unknown>();
  const settle = (chunk: UIChunk): readonly UIChunk[] => {
    const { type, toolCallId, toolName } = chunk;
    if (type === "tool-input-delta") return [];
    if (!isOfCall(chunk) || begun.has(toolCallId)) return [chunk];
    begun.add(toolCallId);
    const isStart = type === "tool-input-start";
    return isStart ? [chunk] : [{ type: "tool-input-start", toolCallId, toolName }, chunk];
  };
  return {
    start: (messageId, messageMetadata) => ({ type: "start", messageId, messageMetadata }),
    write: (event) => {
      const chunks = writer.write(event);
      // Nearly all are words, which `flatMap` would only copy.
      return chunks.some(isOfCall) ? chunks.flatMap(settle) : chunks;
    },
    close: () => writer.close(),
  };
}

const isOfCall = ({ type }: UIChunk): boolean => type.startsWith("tool-input-");

/** The last chunk of a turn without an answer. */
export const endChunk = (
  state: "stopped" | "failed" | "interrupted",
  error: JsonObject | undefined,
): UIChunk => {
  const message = typeof error?.["message"] === "string" ? error["message"] : undefined;
  return state === "failed"
    ? { type: "error", errorText: message ?? "The turn failed." }
    : { type: "abort", reason: message ?? state };
};

/** What the page learns about a turn besides its parts: `metadata` of the UI message. */
export const describeTurn = (turn: Turn): JsonObject => ({
  turnId: turn.id,
  messageId: turn.messageId,
  state: turn.state,
  startedAt: turn.startedAt,
  ...(turn.endedAt !== undefined && { endedAt: turn.endedAt }),
  ...pick(turn.info, ["model", "level", "isSimulated"]),
  ...(turn.usage !== undefined && { usage: { ...turn.usage, raw: undefined } }),
  ...(turn.cost !== undefined && { cost: turn.cost }),
  ...(turn.error !== undefined && { error: turn.error }),
  ...(turn.receipt?.["finish"] !== undefined && { finish: turn.receipt["finish"] }),
});

/** A turn and those that continued from its calls, as the one answer that people see. */
export function describeTurns(turns: readonly Turn[]): JsonObject {
  const [first, ...rest] = turns;
  const last = rest.at(-1);
  if (first === undefined) return {};
  if (last === undefined) return describeTurn(first);
  const usage = turns.reduce<Usage>((sum, turn) => addUsage(sum, turn.usage ?? {}), {});
  const cost = turns.reduce((sum, turn) => sum + (turn.cost ?? 0), 0);
  const { messageId, startedAt } = first;
  return { ...describeTurn({ ...last, usage, cost }), messageId, startedAt };
}

const pick = (source: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in source ? [[name, source[name]]] : [])));

/**
 * The end of a turn without an answer. Live readers may have seen more than its process stored, so
 * there may be fewer numbers here than a reader has seen.
 */
export const cutOf = ({ state, error }: Turn): UIChunk | undefined =>
  state === "running" || state === "done" ? undefined : endChunk(state, error);
