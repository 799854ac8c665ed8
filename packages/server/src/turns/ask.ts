import { hash } from "node:crypto";
import { isMullError, MullError, type JsonObject, type UserMessage } from "mull";
import type { Store, MessageLink, Turn } from "@mull/store";
import type { ServerContext } from "../context.ts";
import { after, findConversation, titleOf, type SentTo } from "../conversations/read-send.ts";
import { ownSystem } from "../conversations/own-system.ts";
import { noSuch } from "../http/refusals.ts";
import { chainOf } from "./turn-chain.ts";

/** One send: a new question, an edited one, or a repeated one. */
export interface Ask {
  readonly userId: string;
  readonly conversationId: string;
  /** If it was just read, or isn't there yet. */
  readonly conversation?: SentTo;
  readonly kind: "new" | "edit" | "again";
  readonly question?: UserMessage;
  /** The UI message to edit or answer again. */
  readonly messageId?: string;
  /** The client's id for its message: a second send with it is the same send. */
  readonly clientMessageId?: string;
  readonly idempotencyKey?: string;
  readonly expectedHead?: string | null;
  readonly model?: string;
  readonly level?: string;
  /** Most tokens of an answer. */
  readonly room?: number;
  /** Leaves out earlier thoughts, and blocks that only their maker can read. */
  readonly plain?: boolean;
  /**
   * Repairs what a rule or the service refuses, before and after sending, and leaves out what can't
   * be repaired.
   */
  readonly fix?: boolean;
}

/**
 * Stores the question and starts the answer, or finds the turn that this very send started earlier.
 */
export async function ask(context: ServerContext, given: Ask): Promise<Turn> {
  const { userId, conversationId, conversation } = given;
  const find = async (): Promise<SentTo> =>
    findConversation(await context.store(), userId, conversationId);
  const asked = askIn(context, given, conversation ?? (await find()));
  // Two sends may create it at once: the second one finds it.
  return conversation?.isNew === true
    ? asked.catch(after("name_taken", async () => askIn(context, given, await find())))
    : asked;
}

async function askIn(context: ServerContext, given: Ask, conversation: SentTo): Promise<Turn> {
  const { userId, conversationId } = given;
  const store = await context.store();
  const key = keyOf(given, context.newId);
  const meant = meaningOf(given);
  const fingerprint = hash("sha256", meant);
  // Reading and storing megabytes blocks this thread, so let those who wait go first.
  await context.loop.take();
  const { info, turns } = conversation;
  const earlier = turns.find((turn) => turn.info["key"] === key);
  if (earlier !== undefined) {
    if (earlier.info["hash"] !== fingerprint) throw keyReused();
    return earlier;
  }
  const place = await placeOf(store, given, conversation);
  const maker = await context.makerFor(userId);
  const { model, level, isSimulated } = maker.choose(given, info);
  const isPlain = given.plain === true || (given.fix === true && wasFixed(turns, place.parentId));
  const begin = (expectedHead: string | null): Promise<Turn> =>
    context.turns.begin({
      maker,
      userId,
      conversationId,
      idempotencyKey: key,
      fingerprint,
      expectedHead,
      ...place,
      ...(conversation.isNew === true && { creates: { title: conversation.title, info } }),
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
  // A different model for one repeated answer doesn't apply to later questions.
  if (given.kind !== "again")
    await remember(store, userId, conversation, given.question, { model, level });
  return turn;
}

/** The last send of this question was already repaired by every rule, and was refused again. */
function wasFixed(turns: readonly Turn[], questionId: string | null | undefined): boolean {
  const last = turns.findLast((turn) => turn.messageId === questionId);
  return last?.state === "failed" && last.info["fix"] === true;
}

/**
 * Without a head, a send means the latest one. It may move when the turn of a dead process is
 * ended, and may name a message that somebody deleted from the database.
 */
async function beginAtHead(
  store: Store,
  userId: string,
  { id, head }: SentTo,
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

/** Finds a message by the id a client knows: ours, a turn's, or the client's own. */
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
  // A turn that continued from waiting calls answers the question of the one before.
  if (turn !== undefined && which === "question")
    while (found !== undefined && found.role !== "user") found = byId(found.parentId ?? "");
  if (found === undefined) throw noSuch("message");
  return found;
}

async function placeOf(
  store: Store,
  given: Ask,
  { id, head, turns }: SentTo,
): Promise<{ readonly message?: UserMessage; readonly parentId?: string | null }> {
  if (given.kind === "new") return given.question === undefined ? {} : { message: given.question };
  const messages = await store.listLinks(given.userId, id);
  const meant = given.messageId ?? lastQuestion(messages, head);
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
    // Visit each once: edited parents may form a cycle.
    byId.delete(at.id);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return undefined;
}

/** A question with a client id is sent once, however often it arrives. An edit is always meant. */
const keyOf = (given: Ask, newId: () => string): string => {
  if (given.idempotencyKey !== undefined)
    return `key:${given.conversationId}:${given.idempotencyKey}`;
  return given.kind === "new" && given.clientMessageId !== undefined
    ? `ui:${given.conversationId}:${given.clientMessageId}`
    : `once:${newId()}`;
};

/** What an idempotency key stands for: the same key with other content is refused. */
const meaningOf = (given: Ask): string => {
  const { kind, question, messageId, expectedHead, model, level, room, plain, fix } = given;
  return JSON.stringify([kind, question, messageId, expectedHead, model, level, room, plain, fix]);
};

async function remember(
  store: Store,
  userId: string,
  { id, title, info }: SentTo,
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
