import { setTimeout as sleep } from "node:timers/promises";
import type { AgentEvent, AssistantMessage, JsonObject, Message, ToolResultPart } from "mull";
import { isJsonObject } from "mull/wire";
import type { Store, Turn, TurnDraft } from "@mull/store";
import { createUIWriter, type UIChunk, type UIEvent } from "@mull/ui-messages";
import { createTurnLog, type LogReader, type TurnLog } from "./turn-log.ts";

/** A turn's chunks in the one form that live and stored turns share. */
export interface ChunkWriter {
  readonly start: (messageId: string, metadata: object) => UIChunk;
  readonly write: (event: UIEvent) => readonly UIChunk[];
  readonly close: () => readonly UIChunk[];
}

/**
 * Arguments of calls are given whole, not in pieces: how a service spells their JSON is not stored,
 * so pieces of it could not be numbered the same when the turn is read back.
 */
export function createChunkWriter(): ChunkWriter {
  const writer = createUIWriter();
  const begun = new Set<unknown>();
  const settle = (chunk: UIChunk): readonly UIChunk[] => {
    const { type, toolCallId, toolName } = chunk;
    if (type === "tool-input-delta") return [];
    if (!type.startsWith("tool-input-") || begun.has(toolCallId)) return [chunk];
    begun.add(toolCallId);
    const isStart = type === "tool-input-start";
    return isStart ? [chunk] : [{ type: "tool-input-start", toolCallId, toolName }, chunk];
  };
  return {
    start: (messageId, messageMetadata) => ({ type: "start", messageId, messageMetadata }),
    write: (event) => writer.write(event).flatMap(settle),
    close: () => writer.close(),
  };
}

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

/** What the page learns of a turn beside its parts: `metadata` of the UI message. */
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

const pick = (source: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in source ? [[name, source[name]]] : [])));

/** A turn as far as the store has it. */
interface StoredTurn {
  readonly turn: Turn;
  /** What the turn has made, without the question. */
  readonly messages: readonly Message[];
  readonly draft: TurnDraft;
}

async function loadTurn(store: Store, userId: string, turnId: string): Promise<StoredTurn> {
  const turn = await store.getTurn(userId, turnId);
  const [all, draft] = await Promise.all([
    store.listMessages(userId, turn.conversationId),
    store.getDraft(userId, turnId),
  ]);
  const messages = all
    .filter((each) => each.turnId === turnId && each.id !== turn.messageId)
    .map((each) => each.message);
  return { turn, messages, draft };
}

/** The chunks of a stored turn, numbered as they were when it ran; without an end while it runs. */
function replayTurn({ turn, messages, draft }: StoredTurn): readonly UIChunk[] {
  const writer = createChunkWriter();
  const records = turn.receipt?.["steps"];
  const chunks: UIChunk[] = [writer.start(turn.id, describeTurn(turn))];
  let step = 0;
  for (const message of messages) {
    if (message.role === "assistant") {
      const record: unknown = Array.isArray(records) ? records[step] : undefined;
      chunks.push(...replayAnswer(writer, message, step, isJsonObject(record) ? record : {}));
      step++;
    } else if (message.role === "tool") {
      chunks.push(...replayResults(writer, message.parts, step - 1));
    }
  }
  // Blocks and results of a step that is not whole yet.
  if (draft.parts.length > 0) chunks.push(...replayParts(writer, draft.parts, step));
  chunks.push(...replayResults(writer, draft.results, step), ...replayEnd(writer, turn));
  return chunks;
}

/**
 * The end of a turn that has no answer. What was told of it live may be more than what its process
 * stored, so that there are fewer numbers here than a reader has seen.
 */
const cutOf = ({ state, error }: Turn): UIChunk | undefined =>
  state === "running" || state === "done" ? undefined : endChunk(state, error);

function replayEnd(writer: ChunkWriter, turn: Turn): readonly UIChunk[] {
  if (turn.state === "running") return [];
  const cut = cutOf(turn);
  if (cut !== undefined) return [...writer.close(), cut];
  const finish = turn.receipt?.["finish"];
  const reason = isJsonObject(finish) ? finish["reason"] : "stop";
  const messageMetadata = describeTurn(turn);
  return writer
    .write({ type: "turn", result: { finish: { reason } } })
    .map((chunk) => ({ ...chunk, messageMetadata }));
}

function replayAnswer(
  writer: ChunkWriter,
  message: AssistantMessage,
  step: number,
  { receipt, usage = {}, cost, timing = {}, finish = {} }: JsonObject,
): readonly UIChunk[] {
  const parts = replayParts(writer, message.parts, step);
  if (message.interrupted) return parts;
  const result = { message, receipt, usage, cost, timing, finish };
  return [...parts, ...writer.write({ type: "step", step, result })];
}

function replayParts(
  writer: ChunkWriter,
  parts: AssistantMessage["parts"],
  step: number,
): readonly UIChunk[] {
  const write = (event: Extract<AgentEvent, { type: "answer" }>["event"]): readonly UIChunk[] =>
    writer.write({ type: "answer", step, event });
  return [
    ...write({ type: "start" }),
    ...parts.flatMap((part, index) => {
      if (part.type === "thinking" || part.type === "text") {
        const { type, text } = part;
        const said = text === "" ? [] : write({ type, index, delta: text });
        return [...said, ...write({ type: "part", index, part })];
      }
      if (part.type === "tool-call" && part.cut) {
        return write({ type: "tool-call", index, id: part.id, name: part.name });
      }
      return write({ type: "part", index, part });
    }),
  ];
}

const replayResults = (
  writer: ChunkWriter,
  results: readonly ToolResultPart[],
  step: number,
): readonly UIChunk[] =>
  results.flatMap((result) => writer.write({ type: "tool-result", step, result }));

/** The log of a turn that is over, made from the store. */
export async function replayLog(store: Store, userId: string, turn: Turn): Promise<TurnLog> {
  const log = createTurnLog();
  const stored = await loadTurn(store, userId, turn.id);
  for (const chunk of replayTurn(stored)) log.append(chunk);
  log.end(cutOf(stored.turn));
  return log;
}

const pollMs = 250;

/** Reads a turn that another process runs: block by block, as they reach the store. */
export function followTurn(store: Store, userId: string, turn: Turn, after: number): LogReader {
  const log = createTurnLog();
  const left = new AbortController();
  let failure: unknown;
  const follow = async (): Promise<void> => {
    let seen = 0;
    for (let isRunning = true; isRunning && !left.signal.aborted;) {
      const stored = await loadTurn(store, userId, turn.id);
      const chunks = replayTurn(stored);
      for (const chunk of chunks.slice(seen)) log.append(chunk);
      seen = Math.max(seen, chunks.length);
      isRunning = stored.turn.state === "running";
      if (!isRunning) log.end(cutOf(stored.turn));
      else await sleep(pollMs);
    }
  };
  follow().catch((error: unknown) => {
    failure = error;
    log.end();
  });
  const reader = log.read(after);
  return {
    async next() {
      const frames = await reader.next();
      // A broken line is taken up again; an end would be believed.
      if (frames === undefined && failure !== undefined) throw failure;
      return frames;
    },
    cancel() {
      left.abort();
      reader.cancel();
    },
  };
}
