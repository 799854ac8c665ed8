import { ApiError, wordsOf, type Api } from "../api.ts";
import type { AppState, ListState, Notice, ThreadState } from "./app-state.ts";
import type { Box } from "./box.ts";

/** What the functions that change the state stand on. */
export interface StateParts {
  readonly api: Api;
  readonly box: Box<AppState>;
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly now: () => number;
  readonly newKey: () => string;
  /** Shows a conversation, or the empty page, in the address bar. */
  readonly setAddress: (conversationId: string | undefined) => void;
}

export const setThread = (box: Box<AppState>, change: Partial<ThreadState>): void => {
  box.set((before) => ({ ...before, thread: { ...before.thread, ...change } }));
};

export const setList = (box: Box<AppState>, change: Partial<ListState>): void => {
  box.set((before) => ({ ...before, list: { ...before.list, ...change } }));
};

export const setNotice = (box: Box<AppState>, notice: Notice | undefined): void => {
  box.set((before) => ({ ...before, notice }));
};

/** Says what went wrong; that the session has ended, the page says by itself. */
export function sayTrouble(box: Box<AppState>, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return;
  setNotice(box, { text: wordsOf(error), isTrouble: true });
}

/** Says what somebody sees who sees the page. */
export const tell = (box: Box<AppState>, text: string): void => {
  box.set((before) => ({ ...before, news: { text } }));
};

/** What one user of a browser has typed is not shown to the next. */
const draftKey = (box: Box<AppState>, conversationId: string | undefined): string =>
  `mull.draft.${encodeURIComponent(box.get().userName ?? "")}.${conversationId ?? "new"}`;

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

/** What is typed survives everything: reload, sign-out, a lost connection. What waits for its turn does as well. */
export function keepDraft(parts: StateParts, text: string): void {
  const { conversation, queued } = parts.box.get().thread;
  storeDraft(parts, conversation?.id, joinTexts(queued, text));
  parts.box.set((before) => ({ ...before, draft: text }));
}

/** Two things somebody wrote, in one field. */
export const joinTexts = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== "").join("\n\n");
