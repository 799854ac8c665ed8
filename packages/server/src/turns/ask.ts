import { hash } from "node:crypto";
import { isMullError, MullError, type JsonObject, type UserMessage } from "mull";
import type { Conversation, Store, MessageLink, Turn } from "@mull/store";
import type { ServerContext } from "../context.ts";
import { titleOf } from "../conversations/open-conversation.ts";
import { ownSystem } from "../conversations/own-system.ts";
import { noSuch } from "../http/refusals.ts";
import { chainOf } from "./turn-chain.ts";

/** One send: a new question, an edited one, or the same once more. */
export interface Ask {
  readonly userId: string;
  readonly conversationId: string;
  /** Where it was read or made just now. */
  readonly conversation?: Conversation;
  readonly kind: "new" | "edit" | "again";
  readonly question?: UserMessage;
  /** The UI message that is edited or answered again. */
  readonly messageId?: string;
  /** The id the client gave its message: a second send of it is the same send. */
  readonly clientMessageId?: string;
  readonly idempotencyKey?: string;
  readonly expectedHead?: string | null;
  readonly model?: string;
  readonly level?: string;
  /** Most tokens of an answer. */
  readonly room?: number;
  /** Earlier thoughts and blocks that only their maker reads stay behind. */
  readonly plain?: boolean;
  /** What a service or a rule refuses is mended before sending and after; what that leaves, is left out. */
  readonly fix?: boolean;
}

/** Stores the question and starts the answer, or finds the turn that this very send started before. */
export async function ask(context: ServerContext, given: Ask): Promise<Turn> {
  const { userId, conversationId } = given;
  const store = await context.store();
  const conversation = given.conversation ?? (await store.getConversation(userId, conversationId));
  const key = keyOf(given, context.newId);
  const meant = meaningOf(given);
  const fingerprint = hash("sha256", meant);
  // Reading and storing megabytes takes this thread for a while: those who wait go first.
  await context.loop.take();
  const turns =
    conversation.head === null
      ? []
      : await store.listTurns(userId, conversationId, { isBrief: true });
  const earlier = turns.find((turn) => turn.info["key"] === key);
  if (earlier !== undefined) {
    if (earlier.info["hash"] !== fingerprint) throw keyReused();
    return earlier;
  }
  const place = await placeOf(store, given, conversation, turns);
  const { info } = conversation;
  const choice = (await context.makerFor(userId)).choose(given, info);
  const { model, level, isSimulated } = choice;
  const isPlain = given.plain === true || (given.fix === true && wasFixed(turns, place.parentId));
  const begin = (expectedHead: string | null): Promise<Turn> =>
    context.turns.begin({
      userId,
      conversationId,
      idempotencyKey: key,
      fingerprint,
      expectedHead,
      ...place,
      info: {
        model,
        level,
        isSimulated,
        key,
        hash: fingerprint,
        ...(ownSystem(info) !== undefined && { system: info["system"]! }),
        ...(given.room !== undefined && { room: given.room }),
        ...(isPlain && { plain: true }),
        ...(given.fix === true && { fix: true }),
        ...(given.clientMessageId !== undefined && { clientMessageId: given.clientMessageId }),
      },
    });
  const turn =
    given.expectedHead === undefined
      ? await beginAtHead(store, userId, conversation, begin)
      : await begin(given.expectedHead);
  // Another model for one more answer is not chosen for the questions to come.
  if (given.kind !== "again")
    await remember(store, userId, conversation, given.question, { model, level });
  return turn;
}

/** What its rules could mend was mended when this question was last sent, and it was refused again. */
function wasFixed(turns: readonly Turn[], questionId: string | null | undefined): boolean {
  const last = turns.findLast((turn) => turn.messageId === questionId);
  return last?.state === "failed" && last.info["fix"] === true;
}

/**
 * Who names no head means the latest. It moves when a turn of a dead process is ended meanwhile,
 * and it may name a message that somebody took out of the database.
 */
async function beginAtHead(
  store: Store,
  userId: string,
  { id, head }: Conversation,
  begin: (head: string | null) => Promise<Turn>,
): Promise<Turn> {
  try {
    return await begin(head);
  } catch (error) {
    if (!isMullError(error)) throw error;
    if (error.code === "stale_head") return begin(error.allowed?.[0] ?? null);
    const messages = error.code === "not_found" ? await store.listLinks(userId, id) : [];
    const latest = messages.at(-1)?.id ?? null;
    if (error.code !== "not_found" || messages.some((message) => message.id === head)) throw error;
    await store.updateConversation(userId, id, { head: latest });
    return begin(latest);
  }
}

/** A message by the id a client knows it by: ours, a turn's, or the client's own. */
export async function findMessageId(
  store: Store,
  userId: string,
  conversationId: string,
  given: string,
  which: "question" | "last",
): Promise<string> {
  const [messages, turns] = await Promise.all([
    store.listLinks(userId, conversationId),
    store.listTurns(userId, conversationId, { isBrief: true }),
  ]);
  return locate(messages, turns, given, which).id;
}

function locate(
  messages: readonly MessageLink[],
  turns: readonly Turn[],
  given: string,
  which: "question" | "last",
): MessageLink {
  const byId = (id: string | undefined): MessageLink | undefined =>
    messages.find((message) => message.id === id);
  const turn = turns.find((each) => each.id === given);
  const said = turn === undefined ? [] : chainOf(turn, turns, messages).map(({ id }) => id);
  let found =
    turn === undefined
      ? (byId(given) ??
        byId(turns.findLast((each) => each.info["clientMessageId"] === given)?.messageId))
      : which === "question"
        ? byId(turn.messageId)
        : messages.findLast(({ turnId }) => turnId !== undefined && said.includes(turnId));
  // A turn that went on from calls that waited answers the question of the one before.
  if (turn !== undefined && which === "question")
    while (found !== undefined && found.role !== "user") found = byId(found.parentId ?? "");
  if (found === undefined) throw noSuch("message");
  return found;
}

async function placeOf(
  store: Store,
  given: Ask,
  conversation: Conversation,
  turns: readonly Turn[],
): Promise<{ readonly message?: UserMessage; readonly parentId?: string | null }> {
  if (given.kind === "new") return given.question === undefined ? {} : { message: given.question };
  const messages = await store.listLinks(given.userId, conversation.id);
  const meant = given.messageId ?? lastQuestion(messages, conversation.head);
  if (meant === undefined) throw noSuch("message");
  const question = locate(messages, turns, meant, "question");
  if (question.role !== "user") throw noSuch("message");
  return given.kind === "again" || given.question === undefined
    ? { parentId: question.id }
    : { message: given.question, parentId: question.parentId };
}

function lastQuestion(messages: readonly MessageLink[], head: string | null): string | undefined {
  const byId = new Map(messages.map((message) => [message.id, message]));
  for (let at = head === null ? undefined : byId.get(head); at !== undefined;) {
    if (at.role === "user") return at.id;
    // Each only once: parents that somebody tied into a ring would have no end.
    byId.delete(at.id);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return undefined;
}

/** A question the client named is sent once, however often it arrives; an edit is always meant. */
const keyOf = (given: Ask, newId: () => string): string => {
  if (given.idempotencyKey !== undefined)
    return `key:${given.conversationId}:${given.idempotencyKey}`;
  return given.kind === "new" && given.clientMessageId !== undefined
    ? `ui:${given.conversationId}:${given.clientMessageId}`
    : `once:${newId()}`;
};

/** What a key stands for: sent again with it, something else is refused. */
const meaningOf = (given: Ask): string => {
  const { kind, question, messageId, expectedHead, model, level, room, plain, fix } = given;
  return JSON.stringify([kind, question, messageId, expectedHead, model, level, room, plain, fix]);
};

async function remember(
  store: Store,
  userId: string,
  { id, title, info }: Conversation,
  question: UserMessage | undefined,
  chosen: JsonObject,
): Promise<void> {
  const isTitled = title !== "" || question === undefined;
  if (isTitled && info["model"] === chosen["model"] && info["level"] === chosen["level"]) return;
  await store.updateConversation(userId, id, {
    info: chosen,
    ...(!isTitled && { firstTitle: titleOf([question]) }),
  });
}

export const keyReused = (): MullError =>
  new MullError("The idempotency key was used for another message. Use a new one.", {
    category: "invalid_argument",
    status: 422,
    code: "key_reused",
  });
