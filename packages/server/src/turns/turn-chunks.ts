import type {
  AgentEvent,
  AssistantMessage,
  AssistantPart,
  JsonObject,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from "mull";
import { addUsage, isJsonObject } from "mull/wire";
import type { Store, Turn } from "@mull/store";
import { startOfTurn, type TextPiece, type TurnNews, type TurnPlace } from "@mull/store/parts";
import { createUIWriter, type UIChunk, type UIEvent } from "@mull/ui-messages";
import { noSuch } from "../http/refusals.ts";
import { messageIdOf } from "./turn-chain.ts";
import { createTurnLog, type TurnLog } from "./turn-log.ts";

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

/**
 * Makes a turn's chunks from what the store has, as it arrives. They have the same numbers as live
 * ones, and no end while the turn runs. What was taken once isn't read again.
 */
export interface StoredChunks {
  /** Where to continue reading. */
  readonly place: () => TurnPlace;
  readonly take: (news: TurnNews) => readonly UIChunk[];
}

export function createStoredChunks(userId: string, turnId: string): StoredChunks {
  const chunks = new Chunks(startOfTurn(userId, turnId));
  return { place: () => chunks.place, take: (news) => chunks.take(news) };
}

type ToldEvent = Extract<AgentEvent, { type: "answer" }>["event"];

class Chunks {
  place: TurnPlace;
  readonly #writer = createChunkWriter();
  #isBegun = false;
  #step = 0;
  /** How many blocks of the step were sent in full, and how much of the next one. */
  #blocks = 0;
  #said = 0;
  readonly #answered = new Set<string>();
  /** Calls of the last complete answer. */
  #calls: readonly ToolCallPart[] = [];

  constructor(place: TurnPlace) {
    this.place = place;
  }

  take({ turn, messages, entries, texts }: TurnNews): readonly UIChunk[] {
    const chunks: UIChunk[] = [];
    if (!this.#isBegun) chunks.push(this.#writer.start(messageIdOf(turn), describeTurn(turn)));
    this.#isBegun = true;
    for (const { message, createdAt } of messages) {
      this.place = { ...this.place, message: createdAt };
      if (message.role === "assistant") chunks.push(...this.#answer(message, turn));
      else if (message.role === "tool") chunks.push(...message.parts.flatMap(this.#result));
    }
    for (const { seq, kind, content } of entries) {
      this.place = { ...this.place, entry: seq };
      const value: unknown = JSON.parse(content);
      if (!isJsonObject(value)) continue;
      if (kind === "part") chunks.push(...this.#part(value as JsonObject & AssistantPart));
      else if (kind === "result")
        chunks.push(...this.#result(value as JsonObject & ToolResultPart));
    }
    for (const piece of texts) chunks.push(...this.#text(piece));
    return [...chunks, ...this.#end(turn)];
  }

  #write(event: ToldEvent): readonly UIChunk[] {
    return this.#writer.write({ type: "answer", step: this.#step, event });
  }

  #answer(message: AssistantMessage, turn: Turn): readonly UIChunk[] {
    const parts = message.parts.slice(this.#blocks).flatMap((part) => this.#part(part));
    const chunks = [...this.#write({ type: "start" }), ...parts];
    const step = this.#step;
    this.#calls = message.parts.filter((part) => part.type === "tool-call");
    if (!message.interrupted) {
      const records = turn.receipt?.["steps"];
      const record: unknown = Array.isArray(records) ? records[step] : undefined;
      const known = isJsonObject(record) ? record : {};
      const { receipt, usage = {}, cost, timing = {}, finish = {} } = known;
      const result = { message, receipt, usage, cost, timing, finish };
      chunks.push(...this.#writer.write({ type: "step", step, result }));
    }
    this.#moveTo(step + 1, 0, 0);
    return chunks;
  }

  #part(part: AssistantPart): readonly UIChunk[] {
    const index = this.#blocks;
    const said = this.#said;
    this.#moveTo(this.#step, index + 1, 0);
    const begun = this.#write({ type: "start" });
    if (part.type === "thinking" || part.type === "text") {
      const { type, text } = part;
      const rest = text.slice(said);
      const more = rest === "" ? [] : this.#write({ type, index, delta: rest });
      return [...begun, ...more, ...this.#write({ type: "part", index, part })];
    }
    if (part.type === "tool-call" && part.cut) {
      const { id, name } = part;
      return [...begun, ...this.#write({ type: "tool-call", index, id, name })];
    }
    return [...begun, ...this.#write({ type: "part", index, part })];
  }

  /** The new part of pieces that were stored again with more text. */
  #text({ step, block, start, kind, text }: TextPiece): readonly UIChunk[] {
    const isNext = step === this.#step && block === this.#blocks && start <= this.#said;
    const rest = isNext ? text.slice(this.#said - start) : "";
    if (rest === "") return [];
    const begun = this.#write({ type: "start" });
    this.#said += rest.length;
    this.place = { ...this.place, step, block, start };
    return [...begun, ...this.#write({ type: kind, index: block, delta: rest })];
  }

  /** Results come one by one, and once more in their message. */
  readonly #result = (result: ToolResultPart): readonly UIChunk[] => {
    if (this.#answered.has(result.callId)) return [];
    this.#answered.add(result.callId);
    return this.#writer.write({ type: "tool-result", step: this.#step, result });
  };

  #end(turn: Turn): readonly UIChunk[] {
    if (turn.state === "running") return [];
    const cut = cutOf(turn);
    if (cut !== undefined) return [...this.#writer.close(), cut];
    const finish = turn.receipt?.["finish"];
    const reason = isJsonObject(finish) ? finish["reason"] : "stop";
    const messageMetadata = describeTurn(turn);
    return [
      ...(reason === "approval" ? this.#waiting() : []),
      ...this.#writer
        .write({ type: "turn", result: { finish: { reason } } })
        .map((chunk) => ({ ...chunk, messageMetadata })),
    ];
  }

  #waiting(): readonly UIChunk[] {
    const open = this.#calls.filter(({ id, send }) => send !== false && !this.#answered.has(id));
    const pending = open.map((call) => ({ call, why: "approval" as const }));
    return this.#writer.write({ type: "approval", step: this.#step, pending });
  }

  #moveTo(step: number, block: number, start: number): void {
    this.#step = step;
    this.#blocks = block;
    this.#said = start;
    this.place = { ...this.place, step, block, start };
  }
}

/** The log of a finished turn, made from the store. */
export async function replayLog(store: Store, userId: string, turn: Turn): Promise<TurnLog> {
  const log = createTurnLog();
  const chunks = createStoredChunks(userId, turn.id);
  const [news] = await store.readNews([chunks.place()]);
  if (news === undefined) throw noSuch("turn");
  for (const chunk of chunks.take(news)) log.append(chunk);
  log.end(cutOf(news.turn));
  return log;
}
