import { ApiError, type Conversation } from "../api.ts";
import type { Notice } from "./app-state.ts";
import { forgetFiles } from "./files.ts";
import {
  placeOf,
  readKept,
  sayTrouble,
  setList,
  setNotice,
  storeDraft,
  type StateParts,
} from "./parts.ts";

/** Conversations that are gone from the list, and from the server once it can't be undone. */
export interface Removals {
  readonly isGone: (id: string) => boolean;
  /** Gone from the list at once, from the server after a while in which it can be undone. */
  readonly remove: (conversation: Conversation) => void;
  /** The page or the account is left, and with it the chance to undo: what was deleted goes from the server now. */
  readonly leave: () => Promise<void>;
  /** Deletes what was on its way out when the page was left. */
  readonly deleteLeft: (found: readonly Conversation[]) => void;
}

const undoMs = 10_000;

export function createRemovals(
  parts: StateParts,
  refresh: () => void,
  show: (id: string | undefined) => void,
): Removals {
  const { box, storage } = parts;
  /** How the server deletes each of them. */
  const doomed = new Map<string, () => Promise<void>>();

  const removeForGood = async (conversation: Conversation): Promise<void> => {
    try {
      await removeOnServer(parts, conversation.id);
    } catch (error) {
      doomed.delete(conversation.id);
      const listed = [...box.get().list.conversations, conversation];
      setList(box, { conversations: listed.toSorted((a, b) => b.updatedAt - a.updatedAt) });
      sayTrouble(box, error);
    }
  };

  const leftKey = (): string => `mull.deleted.${placeOf(box, "all")}`;

  return {
    isGone: (id) => doomed.has(id),
    remove: (conversation) => {
      const { id } = conversation;
      const wasOpen = box.get().thread.conversation?.id === id;
      const conversations = box.get().list.conversations.filter((each) => each.id !== id);
      setList(box, { conversations });
      if (wasOpen) show(undefined);
      const undo = (): void => {
        clearTimeout(timer);
        doomed.delete(id);
        unsay();
        refresh();
        if (wasOpen) show(id);
      };
      const text = `Deleted “${conversation.title || "Untitled"}”.`;
      const notice: Notice = { text, isTrouble: false, action: { label: "Undo", run: undo } };
      // Something else may have been said meanwhile, another deletion for one.
      const unsay = (): void => {
        if (box.get().notice === notice) setNotice(box, undefined);
      };
      let sending: Promise<void> | undefined;
      const send = (): Promise<void> => {
        clearTimeout(timer);
        unsay();
        sending ??= removeForGood(conversation);
        return sending;
      };
      const timer = setTimeout(() => void send(), undoMs);
      doomed.set(id, send);
      setNotice(box, notice);
    },
    leave: async () => {
      const left = [...doomed.keys()];
      if (left.length === 0) return;
      storage.setItem(leftKey(), JSON.stringify(left));
      await Promise.all([...doomed.values()].map((send) => send()));
      if (left.every((id) => doomed.has(id))) storage.removeItem(leftKey());
    },
    // A delete right before the page was left may not have reached the server yet.
    deleteLeft: (found) => {
      const kept = readKept(storage, leftKey());
      const left = new Set(Array.isArray(kept) ? kept : []);
      storage.removeItem(leftKey());
      for (const each of found.filter(({ id }) => left.has(id))) {
        const gone = removeForGood(each);
        doomed.set(each.id, () => gone);
      }
    },
  };
}

async function removeOnServer(parts: StateParts, id: string): Promise<void> {
  await parts.api.remove(id).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
  storeDraft(parts, id, "");
  await forgetFiles(parts, id);
}
