import type { Conversation, MessageLink, Store, StoredMessage, Turn } from "@mull/store";
import { branchOf } from "@mull/store/parts";
import { noSuch } from "../http/refusals.ts";
import { findLostHead, findProblems, type StoredProblem } from "./problems.ts";

/** Which part of a branch is wanted. */
export interface PageWish {
  /** Where the branch ends; the head when left out. */
  readonly at?: string;
  /** So many messages, and as many more as make the first question whole; all when left out. */
  readonly limit?: number;
  /** Those before this question. */
  readonly before?: string;
}

/** Part of a branch, with what is read for it. */
export interface ReadPage {
  readonly links: readonly MessageLink[];
  readonly page: readonly StoredMessage[];
  /** Of the page with their receipts, of the rest without. */
  readonly turns: readonly Turn[];
  /** Nothing of the branch comes after it. */
  readonly isNewest: boolean;
  /** What to ask for next: there is more before. */
  readonly earlier?: string;
  readonly problems: readonly StoredProblem[];
}

/** Reads how all messages hang together, and what is said only in those that are wanted. */
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

/** Where a page begins that ends at `stop`: with a question, since no message reaches across one. */
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
