import type { Conversation, MessageLink, Store, StoredMessage, Turn } from "@mull/store";
import { branchOf } from "@mull/store/parts";
import { noSuch } from "../http/refusals.ts";
import { findLostHead, findProblems, type StoredProblem } from "./problems.ts";

/** Which part of a branch to read. */
export interface PageWish {
  /** Where the branch ends; the head when left out. */
  readonly at?: string;
  /** This many messages, and more until the first question is whole; all when left out. */
  readonly limit?: number;
  /** Only those before this question. */
  readonly before?: string;
}

/** Part of a branch, with everything it needs. */
export interface ReadPage {
  readonly links: readonly MessageLink[];
  readonly page: readonly StoredMessage[];
  /** With receipts for this page, without them for the rest. */
  readonly turns: readonly Turn[];
  /** This page is the end of the branch. */
  readonly isNewest: boolean;
  /** If there is more, what to ask for next. */
  readonly earlier?: string;
  readonly problems: readonly StoredProblem[];
}

/** Reads how all messages are connected, and the content of the wanted ones only. */
export async function readPage(
  store: Store,
  userId: string,
  conversation: Conversation,
  { at, limit = Infinity, before }: PageWish,
): Promise<ReadPage> {
  const [links, brief] = await Promise.all([
    store.listLinks(userId, conversation.id),
    store.listTurns(userId, conversation.id, { isBrief: true }),
  ]);
  const lost = at === undefined ? findLostHead(conversation, links) : [];
  const end = lost.length > 0 ? links.at(-1)?.id : (at ?? conversation.head ?? undefined);
  const branch = end === undefined ? [] : branchOf(links, end);
  if (end !== undefined && branch.length === 0) throw noSuch("message");
  const stop = before === undefined ? branch.length : placeOf(branch, before);
  const start = startOf(branch, stop, limit);
  const wanted = branch.slice(start, stop);
  const [page, turns] = await Promise.all([
    readMessages(store, userId, conversation.id, links, wanted),
    withReceipts(store, userId, conversation.id, brief, wanted),
  ]);
  return {
    links,
    page,
    turns,
    isNewest: stop === branch.length,
    ...(start > 0 && { earlier: branch[start]!.id }),
    problems: [...lost, ...findProblems(page, start)],
  };
}

function placeOf(branch: readonly MessageLink[], wanted: string): number {
  const place = branch.findIndex(({ id }) => id === wanted);
  if (place === -1) throw noSuch("message");
  return place;
}

/** Where the page that ends at `stop` begins: at a question, because no UI message spans two. */
function startOf(branch: readonly MessageLink[], stop: number, limit: number): number {
  if (limit >= stop) return 0;
  const start = branch.slice(0, stop - limit + 1).findLastIndex(({ role }) => role === "user");
  return Math.max(0, start);
}

const readMessages = (
  store: Store,
  userId: string,
  conversationId: string,
  links: readonly MessageLink[],
  wanted: readonly MessageLink[],
): Promise<readonly StoredMessage[]> => {
  const ids = wanted.map(({ id }) => id);
  if (ids.length < links.length) return store.listMessages(userId, conversationId, ids);
  return store.listMessages(userId, conversationId);
};

async function withReceipts(
  store: Store,
  userId: string,
  conversationId: string,
  brief: readonly Turn[],
  wanted: readonly MessageLink[],
): Promise<readonly Turn[]> {
  const shown = new Set(wanted.flatMap(({ id, turnId }) => [id, ...(turnId ? [turnId] : [])]));
  const ids = brief
    .filter(({ id, messageId }) => shown.has(id) || shown.has(messageId))
    .map(({ id }) => id);
  const some = ids.length < brief.length ? { ids } : {};
  const whole = await store.listTurns(userId, conversationId, some);
  const known = new Map(whole.map((turn) => [turn.id, turn]));
  return brief.map((turn) => known.get(turn.id) ?? turn);
}
