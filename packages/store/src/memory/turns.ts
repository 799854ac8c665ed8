import type { JsonObject, Message } from "mull";
import { encodeJson } from "../encode-json.ts";
import { decodeMessage } from "../encode-message.ts";
import type { ListTurns } from "../listing.ts";
import { keyReused, notFound, staleHead, turnOver, turnRunning } from "../refusals.ts";
import {
  keyLifeMs,
  type BeginTurn,
  type BlockPlace,
  type Store,
  type TurnMethods,
  type Turn,
} from "../store.ts";
import { closeTurn } from "../turn/close-turn.ts";
import { draftFrom, type DraftKind } from "../turn/draft.ts";
import { fingerprintOf } from "../turn/fingerprint.ts";
import { memoryLiveTurns } from "./live-turns.ts";
import {
  addConversation,
  addMessages,
  checkMessageId,
  rowOf,
  sendOf,
  toStored,
  turnOf,
} from "./data.ts";
import type { ConversationRow, MemoryContext, TurnRow } from "./data.ts";

const copy = (value: object): JsonObject => JSON.parse(encodeJson("turn", value)) as JsonObject;

export function memoryTurns(context: MemoryContext): TurnMethods {
  const { data, owner, now } = context;

  const keep = async (
    userId: string,
    turnId: string,
    kind: DraftKind,
    value: unknown,
  ): Promise<void> => {
    const content = encodeJson("part", value);
    const { draft } = ownTurn(context, userId, turnId);
    draft.push({ kind, content, seq: ++data.entries });
  };

  return {
    beginTurn: async (given) =>
      given.creates === undefined ? beginTurn(context, given) : beginFirst(context, given),

    getTurn: async (userId, turnId) => turnOf(context, userId, turnId).value,

    async findRunningTurn(userId, conversationId) {
      return runningIn(rowOf(context, userId, conversationId))?.value;
    },

    listTurns: async (userId, conversationId, options = {}) =>
      listSome(rowOf(context, userId, conversationId).turns, options),

    async getDraft(userId, turnId) {
      const { draft, texts } = turnOf(context, userId, turnId);
      return draftFrom(draft, texts);
    },

    async appendPart(userId, turnId, part, texts) {
      await keep(userId, turnId, "part", part);
      const turn = ownTurn(context, userId, turnId);
      turn.texts = turn.texts.filter((piece) => texts === undefined || isBehind(piece, texts));
    },

    storeToolIntent: (userId, turnId, call) => keep(userId, turnId, "intent", call.id),

    storeToolResult: (userId, turnId, result) => keep(userId, turnId, "result", result),

    async finishMessage(userId, turnId, message) {
      const turn = ownTurn(context, userId, turnId);
      const row = rowOf(context, userId, turn.value.conversationId);
      const parentId = lastOf(row, turn);
      const [stored] = addMessages(context, row, { parentId, messages: [message], turnId });
      turn.draft = [];
      turn.texts = [];
      return toStored(stored!);
    },

    async finishTurn(userId, turnId, { messages, ...end }) {
      const turn = ownTurn(context, userId, turnId);
      const kept = copy(end) as Partial<Turn>;
      const row = rowOf(context, userId, turn.value.conversationId);
      const parentId = lastOf(row, turn);
      const rest = messages ?? closing(row, turn);
      addMessages(context, row, { parentId, messages: rest, turnId });
      turn.value = { ...turn.value, ...kept, endedAt: now() };
      turn.draft = [];
      turn.texts = [];
      return turn.value;
    },

    async renewLeases() {
      data.processes.set(owner, now() + context.leaseMs);
      return [...data.processes.values()].filter((until) => until > now()).length;
    },

    async recoverTurns() {
      return runningTurns(context)
        .filter(({ value }) => isAbandoned(context, value))
        .map((row) => interrupt(context, row));
    },

    ...memoryLiveTurns(context),
  };
}

function beginTurn(
  context: MemoryContext,
  given: BeginTurn,
): Awaited<ReturnType<Store["beginTurn"]>> {
  const { userId, conversationId, idempotencyKey: key, expectedHead, info = {} } = given;
  const { data, now, newId, owner, leaseMs } = context;
  const row = rowOf(context, userId, conversationId);
  const fingerprint = fingerprintOf(given);
  const earlier = data.sends.get(sendOf(userId, key));
  if (earlier !== undefined && earlier.value.startedAt > now() - keyLifeMs) {
    if (earlier.fingerprint !== fingerprint) throw keyReused();
    return begun(context, earlier, false);
  }
  const running = runningIn(row);
  if (running !== undefined) {
    if (!isAbandoned(context, running.value)) throw turnRunning(row.value.head);
    interrupt(context, running);
  }
  if (row.value.head !== expectedHead) throw staleHead(row.value.head);
  const parentId = given.parentId === undefined ? expectedHead : given.parentId;
  checkMessageId(row, parentId);
  const id = given.turnId ?? newId();
  const kept = copy(info);
  const messageId =
    given.message === undefined
      ? answerAgain(row, parentId)
      : addMessages(context, row, { parentId, messages: [given.message], turnId: id })[0]!.id;
  const value: Turn = {
    id,
    conversationId,
    state: "running",
    owner,
    leaseUntil: now() + leaseMs,
    messageId,
    startedAt: now(),
    info: kept,
  };
  const turn: TurnRow = { userId, key, fingerprint, value, draft: [], texts: [] };
  data.turns.set(id, turn);
  data.begun.add(turn);
  data.sends.set(sendOf(userId, key), turn);
  row.turns.push(turn);
  return begun(context, turn, true);
}

/** The conversation and its first turn, or neither. */
function beginFirst(
  context: MemoryContext,
  given: BeginTurn,
): Awaited<ReturnType<Store["beginTurn"]>> {
  const { userId, conversationId, idempotencyKey } = given;
  const { conversations, sends } = context.data;
  const isSentBefore =
    conversations.has(conversationId) && sends.has(sendOf(userId, idempotencyKey));
  if (isSentBefore) return beginTurn(context, given);
  addConversation(context, userId, { id: conversationId, ...given.creates });
  try {
    return beginTurn(context, given);
  } catch (error) {
    conversations.delete(conversationId);
    throw error;
  }
}

function answerAgain(row: ConversationRow, messageId: string | null): string {
  const message = row.messages.find(({ id }) => id === messageId);
  const isPlace = message?.encoded.role === "user" || messageId === row.value.head;
  if (message === undefined || !isPlace) throw notFound("message");
  row.value = { ...row.value, head: message.id };
  return message.id;
}

function begun(
  context: MemoryContext,
  turn: TurnRow,
  isNew: boolean,
): Awaited<ReturnType<Store["beginTurn"]>> {
  const row = rowOf(context, turn.userId, turn.value.conversationId);
  const message = row.messages.find(({ id }) => id === turn.value.messageId);
  if (message === undefined) throw notFound("message");
  return { turn: turn.value, message: toStored(message), isNew };
}

const runningIn = ({ turns }: ConversationRow): TurnRow | undefined =>
  turns.findLast((turn) => turn.value.state === "running");

function ownTurn(context: MemoryContext, userId: string, turnId: string): TurnRow {
  const row = turnOf(context, userId, turnId);
  if (row.value.state !== "running" || row.value.owner !== context.owner) throw turnOver(row.value);
  return row;
}

const isAbandoned = ({ data, owner, now }: MemoryContext, turn: Turn): boolean =>
  turn.owner !== owner && Math.max(turn.leaseUntil, data.processes.get(turn.owner) ?? 0) < now();

const isBehind = (piece: BlockPlace, { step, block }: BlockPlace): boolean =>
  piece.step > step || (piece.step === step && piece.block > block);

/** Forgets turns that have ended or were deleted. */
function runningTurns({ data: { begun: known, turns } }: MemoryContext): readonly TurnRow[] {
  for (const row of known) {
    if (row.value.state !== "running" || turns.get(row.value.id) !== row) known.delete(row);
  }
  return [...known];
}

/** The last message of the turn; before it has one, the message it answers. */
const lastOf = (row: ConversationRow, turn: TurnRow): string =>
  row.messages.findLast(({ turnId }) => turnId === turn.value.id)?.id ?? turn.value.messageId;

const closing = (row: ConversationRow, turn: TurnRow): ReturnType<typeof closeTurn> => {
  const byId = new Map(row.messages.map((message) => [message.id, message]));
  const tail: Message[] = [];
  let at = byId.get(lastOf(row, turn));
  while (at !== undefined) {
    const { message } = decodeMessage(at.encoded);
    tail.unshift(message);
    at = message.role === "tool" ? byId.get(at.parentId ?? "") : undefined;
  }
  return closeTurn(tail, draftFrom(turn.draft, turn.texts));
};

function interrupt(context: MemoryContext, turn: TurnRow): Turn {
  const row = rowOf(context, turn.userId, turn.value.conversationId);
  const turnId = turn.value.id;
  addMessages(context, row, { parentId: lastOf(row, turn), messages: closing(row, turn), turnId });
  const error: JsonObject = { code: "interrupted" };
  turn.value = { ...turn.value, state: "interrupted", endedAt: context.now(), error };
  turn.draft = [];
  turn.texts = [];
  return turn.value;
}

function listSome(rows: readonly TurnRow[], { ids, isBrief = false }: ListTurns): readonly Turn[] {
  const wanted = ids && new Set(ids);
  return rows.flatMap(({ value }): readonly Turn[] => {
    if (wanted?.has(value.id) === false) return [];
    const { usage: _, receipt: __, ...brief } = value;
    return [isBrief ? brief : value];
  });
}
