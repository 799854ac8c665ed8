import { randomUUID } from "node:crypto";
import type { JsonObject, Message } from "mull";
import { branchOf } from "../branch.ts";
import { encodeJson } from "../encode-json.ts";
import { decodeMessage, encodeMessage, type EncodedMessage } from "../encode-message.ts";
import { growingTimes, type Times } from "../growing-times.ts";
import type { Taken } from "../limits/methods.ts";
import { conversationTaken, notFound } from "../refusals.ts";
import { cleanText, searchTextOf } from "../search-text.ts";
import type {
  Account,
  Conversation,
  NewConversation,
  Session,
  StoredMessage,
  StoreOptions,
  Turn,
} from "../store.ts";
import type { DraftEntry, TextPiece } from "../turn/live-turns.ts";

export interface MessageRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly turnId?: string;
  readonly createdAt: number;
  /** Stored as text, as a database does, so that callers can't change a stored message. */
  readonly encoded: EncodedMessage;
  readonly search: string;
}

export interface ConversationRow {
  readonly userId: string;
  value: Conversation;
  readonly messages: MessageRow[];
  readonly turns: TurnRow[];
}

export interface TurnRow {
  readonly userId: string;
  /** The key it was sent with. A fork's copy has none, and what it took isn't counted again. */
  readonly key?: string;
  readonly fingerprint: string;
  value: Turn;
  draft: DraftEntry[];
  texts: TextPiece[];
}

export interface SpentTurn {
  readonly userId: string;
  readonly startedAt: number;
  readonly tokens: number;
  readonly cost: number;
  readonly thinking?: number;
  /** Deleted with the conversation. */
  readonly model?: string;
  readonly level?: string;
}

/** What a turn took; nothing for a fork's copy. */
export const spentBy = ({ userId, key, value }: TurnRow): readonly SpentTurn[] => {
  if (key === undefined) return [];
  const { startedAt, usage, cost = 0, info } = value;
  const { model, level } = info;
  return [
    {
      userId,
      startedAt,
      tokens: usage?.total ?? 0,
      cost,
      ...(usage?.thinking !== undefined && { thinking: usage.thinking }),
      ...(typeof model === "string" && { model }),
      ...(typeof level === "string" && { level }),
    },
  ];
};

/** What is kept of a turn whose conversation is deleted. */
export const forgottenBy = (row: TurnRow): readonly SpentTurn[] =>
  spentBy(row).map(({ userId, startedAt, tokens, cost }) => ({ userId, startedAt, tokens, cost }));

/** A turn's reservation, until it expires. */
export interface ReservationRow {
  readonly userId: string;
  /** What the turn's settled steps took. */
  readonly took: Taken;
  readonly held: Taken;
  readonly until: number;
}

export interface BucketRow {
  readonly level: number;
  readonly at: number;
  readonly fullAt: number;
}

/** The rows of a store in memory. */
export interface MemoryData {
  readonly conversations: Map<string, ConversationRow>;
  readonly turns: Map<string, TurnRow>;
  /** Turns that are running, so that the heartbeat need not scan every turn. */
  readonly begun: Set<TurnRow>;
  /** What turns of deleted conversations used; everything else about them is gone. */
  deletedTurns: SpentTurn[];
  /** The latest turn of every send, by `sendOf`. */
  readonly sends: Map<string, TurnRow>;
  /** How many entries running turns have finished. */
  entries: number;
  /** Turns that a user asked to stop, and the process that runs each. */
  readonly stops: Map<string, string>;
  /** Processes, and how long each counts as alive. */
  readonly processes: Map<string, number>;
  readonly accounts: Map<string, Account>;
  readonly sessions: Map<string, Session>;
  readonly secrets: Map<string, string>;
  /** What users spent, by user, then by hour. */
  readonly spentHours: Map<string, Map<number, Taken>>;
  /** By turn. */
  readonly reservations: Map<string, ReservationRow>;
  readonly buckets: Map<string, BucketRow>;
  /** Texts by user. */
  readonly preferences: Map<string, string>;
  /** Sealed keys by user, then by provider. */
  readonly userKeys: Map<string, Map<string, string>>;
}

/** The rows of a store in memory. Pass them to several stores to share them. */
export const createMemoryData = (): MemoryData => ({
  conversations: new Map(),
  turns: new Map(),
  begun: new Set(),
  deletedTurns: [],
  sends: new Map(),
  entries: 0,
  stops: new Map(),
  processes: new Map(),
  accounts: new Map(),
  sessions: new Map(),
  secrets: new Map(),
  spentHours: new Map(),
  reservations: new Map(),
  buckets: new Map(),
  preferences: new Map(),
  userKeys: new Map(),
});

/** A key belongs to a user. */
export const sendOf = (userId: string, key: string): string => JSON.stringify([userId, key]);

export interface MemoryContext {
  readonly data: MemoryData;
  readonly owner: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly leaseMs: number;
}

export const memoryContext = (data: MemoryData, options: StoreOptions): MemoryContext => ({
  data,
  owner: options.owner ?? randomUUID(),
  now: options.now ?? Date.now,
  newId: options.newId ?? randomUUID,
  leaseMs: options.leaseMs ?? 30_000,
});

export function rowOf({ data }: MemoryContext, userId: string, id: string): ConversationRow {
  const row = data.conversations.get(id);
  if (row === undefined || row.userId !== userId) throw notFound("conversation");
  return row;
}

/** Refuses an id that exists already. */
export function addConversation(
  { data, now, newId }: MemoryContext,
  userId: string,
  given: NewConversation,
): ConversationRow {
  const id = given.id ?? newId();
  if (data.conversations.has(id)) throw conversationTaken();
  const at = now();
  const value: Conversation = {
    id,
    title: cleanText(given.title ?? ""),
    head: null,
    createdAt: Math.min(given.createdAt ?? at, at),
    updatedAt: at,
    info: copyInfo(given.info ?? {}),
  };
  const row = { userId, value, messages: [], turns: [] };
  data.conversations.set(id, row);
  return row;
}

export const copyInfo = (info: JsonObject): JsonObject =>
  JSON.parse(encodeJson("info", info)) as JsonObject;

/** The rows from the first message to `end`. */
export function branchTo(row: ConversationRow, end: string | null): readonly MessageRow[] {
  if (end === null) return [];
  const branch = branchOf(row.messages, end);
  if (branch.length === 0) throw notFound("message");
  return branch;
}

export function turnOf({ data }: MemoryContext, userId: string, id: string): TurnRow {
  const row = data.turns.get(id);
  if (row === undefined || row.userId !== userId) throw notFound("turn");
  return row;
}

export const toStored = ({ encoded, search: _search, ...row }: MessageRow): StoredMessage => ({
  ...row,
  ...decodeMessage(encoded),
});

/**
 * Adds messages after `parentId` and moves the head. Encodes all of them before it stores the
 * first.
 */
export function addMessages(
  context: MemoryContext,
  row: ConversationRow,
  given: {
    readonly parentId: string | null;
    readonly messages: readonly Message[];
    readonly turnId?: string;
    readonly times?: Times;
  },
): readonly MessageRow[] {
  const encoded = given.messages.map((message) => encodeMessage(message));
  const times = growingTimes(encoded.length, given.times ?? [], context.now());
  let { parentId } = given;
  const rows = encoded.map((text, index): MessageRow => {
    const latest = row.messages.at(-1)?.createdAt ?? 0;
    const id = context.newId();
    const added: MessageRow = {
      id,
      parentId,
      ...(given.turnId !== undefined && { turnId: given.turnId }),
      createdAt: Math.max(times[index]!, latest + 1),
      encoded: text,
      search: searchTextOf(given.messages[index]!),
    };
    row.messages.push(added);
    parentId = id;
    return added;
  });
  row.value = { ...row.value, head: parentId, updatedAt: context.now() };
  return rows;
}

export function checkMessageId(row: ConversationRow, id: string | null): void {
  if (id !== null && !row.messages.some((message) => message.id === id)) throw notFound("message");
}
