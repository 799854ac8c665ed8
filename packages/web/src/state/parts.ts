import { ApiError, wordsOf, type Api } from "../api.ts";
import type { AppState, ListState, Notice, ThreadState } from "./app-state.ts";
import type { Box } from "./box.ts";
import type { FileShelf } from "./file-shelf.ts";

/** What every function that changes the state needs. */
export interface StateParts {
  readonly api: Api;
  readonly box: Box<AppState>;
  readonly storage: PageStorage;
  readonly shelf: FileShelf;
  readonly now: () => number;
  readonly newKey: () => string;
  /** Shows a conversation, or the empty page, in the address bar. */
  readonly setAddress: (conversationId: string | undefined) => void;
}

export interface PageStorage extends Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  /** Whether the value outlives the page. */
  readonly isKept: (key: string) => boolean;
}

export const setThread = (box: Box<AppState>, change: Partial<ThreadState>): void => {
  box.set((before) => ({ ...before, thread: { ...before.thread, ...change } }));
};

export const setList = (box: Box<AppState>, change: Partial<ListState>): void => {
  box.set((before) => ({ ...before, list: { ...before.list, ...change } }));
};

/** Shows a line above the composer. Trouble is spoken as such; the rest is news like any other. */
export const setNotice = (box: Box<AppState>, notice: Notice | undefined): void => {
  const isNews = notice !== undefined && !notice.isTrouble;
  box.set((before) => ({ ...before, notice, ...(isNews && { news: { text: notice.text } }) }));
};

/** Says what went wrong; that the session has ended, the page says by itself. */
export function sayTrouble(box: Box<AppState>, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return;
  const waitMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  const until = waitMs === undefined ? {} : { until: Date.now() + waitMs };
  setNotice(box, { text: wordsOf(error), isTrouble: true, ...until });
}

/** Tells screen readers what the page shows. */
export const tell = (box: Box<AppState>, text: string): void => {
  box.set((before) => ({ ...before, news: { text } }));
};

/** The key of a draft. It names the user, so that the next user of the browser does not see it. */
export const placeOf = (box: Box<AppState>, conversationId: string | undefined): string =>
  `${encodeURIComponent(box.get().userName ?? "")}.${conversationId ?? "new"}`;

const draftKey = (box: Box<AppState>, conversationId: string | undefined): string =>
  `mull.draft.${placeOf(box, conversationId)}`;

export const readDraft = (
  { box, storage }: StateParts,
  conversationId: string | undefined,
): string => storage.getItem(draftKey(box, conversationId)) ?? "";

/** Keeps what was typed for a conversation, whichever one is shown. */
export function storeDraft(
  { box, storage }: StateParts,
  conversationId: string | undefined,
  text: string,
): void {
  const key = draftKey(box, conversationId);
  if (text === "") storage.removeItem(key);
  else storage.setItem(key, text);
}

/**
 * What is typed survives everything: reload, sign-out, a lost connection. So does what waits for
 * its turn, and what is on its way to the server until that has taken it.
 */
export function keepDraft(parts: StateParts, text: string): void {
  const { conversation, sending, queued } = parts.box.get().thread;
  storeDraft(parts, conversation?.id, joinTexts(sending, queued, text));
  parts.box.set((before) => ({ ...before, draft: text }));
}

/**
 * What was on its way has been taken by the server, or has not: then it goes back into the
 * composer. A reader who left and came back finds it there already.
 */
export function settleSent(
  parts: StateParts,
  conversationId: string | undefined,
  text: string,
  isTaken: boolean,
): void {
  const { draft, thread } = parts.box.get();
  const settle = (rest: string): string => joinTexts(isTaken ? undefined : text, rest);
  if (thread.conversation?.id !== conversationId) {
    const rest = withoutSent(readDraft(parts, conversationId), text);
    storeDraft(parts, conversationId, settle(rest));
    return;
  }
  setThread(parts.box, { sending: undefined });
  keepDraft(parts, settle(thread.sending === undefined ? withoutSent(draft, text) : draft));
}

/** Reads stored JSON; nothing if it is damaged. */
export function readKept(storage: Pick<PageStorage, "getItem">, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** The rest of a draft that begins with what was sent. */
export function withoutSent(kept: string, text: string): string {
  if (kept === text) return "";
  const joined = joinTexts(text, " ").slice(0, -1);
  return text !== "" && kept.startsWith(joined) ? kept.slice(joined.length) : kept;
}

/** Takes what waits for its turn back into the composer. */
export function unqueue(parts: StateParts): void {
  const { draft, thread } = parts.box.get();
  setThread(parts.box, { queued: undefined, queuedFiles: [] });
  keepDraft(parts, joinTexts(thread.queued, draft));
}

/** The key under which an edited question waits until it is asked. */
const editPlace = (questionId: string): string => `edit.${questionId}`;

export const readEdit = (parts: StateParts, questionId: string): string =>
  readDraft(parts, editPlace(questionId));

export const storeEdit = (parts: StateParts, questionId: string, text: string): void =>
  storeDraft(parts, editPlace(questionId), text);

/** Something that is being written would be gone with the page: the browser does not keep it. */
export const isDraftLost = ({ box, storage }: StateParts): boolean => {
  const { conversation, editing } = box.get().thread;
  const places = [conversation?.id, ...(editing === undefined ? [] : [editPlace(editing)])];
  return places.some((place) => !storage.isKept(draftKey(box, place)));
};

/** Joins drafts for one field. */
const joinTexts = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== "").join("\n\n");
