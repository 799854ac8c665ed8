import { salvageMessages } from "../conversations/salvage.ts";
import { ApiError, listedAtOnce, wordsOf, type Conversation } from "../api.ts";
import type { Notice } from "./app-state.ts";
import { forgetFiles } from "./files.ts";
import {
  placeOf,
  readKept,
  sayTrouble,
  setList,
  setNotice,
  setThread,
  storeDraft,
  type StateParts,
} from "./parts.ts";

export interface ListActions {
  readonly refresh: () => Promise<void>;
  /** Lists older ones as well. */
  readonly more: () => Promise<void>;
  readonly search: (text: string, everything: boolean) => Promise<void>;
  readonly rename: (id: string, title: string) => Promise<void>;
  /** Gone from the list at once, from the server after a while in which it can be undone. */
  readonly remove: (conversation: Conversation) => void;
  /** The page or the account is left, and with it the chance to undo: what was deleted goes from the server now. */
  readonly leave: () => Promise<void>;
  readonly importText: (text: string) => Promise<void>;
}

const undoMs = 10_000;

const notJson =
  "That file is not JSON. Import takes a conversation exported here as JSON, a History of mull, or a list of UI messages.";

export function createListActions(
  parts: StateParts,
  open: (id: string | undefined) => Promise<void>,
): ListActions {
  const { api, box, storage } = parts;
  /**
   * Conversations that are gone from the list, and how the server deletes them once it can't be
   * undone.
   */
  const doomed = new Map<string, () => Promise<void>>();

  const say = (error: unknown): void => sayTrouble(box, error);

  /** A response that arrives after a later one is old. */
  let [asked, shownNth] = [0, 0];

  /** The first page, and what of `listed` comes after it. */
  const load = async (listed: readonly Conversation[]): Promise<void> => {
    const { search, everything } = box.get().list;
    const nth = ++asked;
    try {
      const found = await api.list(search, everything);
      const now = box.get().list;
      if (nth < shownNth || now.search !== search || now.everything !== everything) return;
      shownNth = nth;
      deleteLeft(found);
      const older = olderThan(listed, found);
      setList(box, {
        conversations: [...found, ...older].filter(({ id }) => !doomed.has(id)),
        hasMore: older.length > 0 ? now.hasMore : found.length === listedAtOnce,
        isLoaded: true,
      });
      void loadPinned();
      const shown = box.get().thread.conversation;
      const named = found.find(({ id }) => id === shown?.id);
      if (named !== undefined) setThread(box, { conversation: named });
    } catch (error) {
      say(error);
    }
  };

  /** They are at the top of the list, however old they are. One that was deleted is no more. */
  const loadPinned = async (): Promise<void> => {
    const { list, preferences } = box.get();
    const known = new Set(list.conversations.map(({ id }) => id));
    const missing = (preferences.pinned ?? []).filter((id) => !known.has(id));
    const found = await Promise.all(missing.map((id) => api.find(id).catch(() => undefined)));
    const pinnedOlder = found.filter((each) => each !== undefined);
    if (pinnedOlder.length > 0 || list.pinnedOlder !== undefined) setList(box, { pinnedOlder });
  };

  const more = async (): Promise<void> => {
    const { search, everything, conversations } = box.get().list;
    const found = await api.list(search, everything, conversations.at(-1)).catch(say);
    const now = box.get().list;
    if (found === undefined || now.search !== search || now.everything !== everything) return;
    const known = new Set(now.conversations.map(({ id }) => id));
    const added = found.filter(({ id }) => !known.has(id) && !doomed.has(id));
    setList(box, {
      conversations: [...now.conversations, ...added],
      hasMore: found.length === listedAtOnce,
    });
  };

  /** Lists the conversations of the server again. */
  const removeForGood = async (conversation: Conversation): Promise<void> => {
    try {
      await api.remove(conversation.id).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
      storeDraft(parts, conversation.id, "");
      await forgetFiles(parts, conversation.id);
    } catch (error) {
      doomed.delete(conversation.id);
      const listed = [...box.get().list.conversations, conversation];
      setList(box, { conversations: listed.toSorted((a, b) => b.updatedAt - a.updatedAt) });
      say(error);
    }
  };

  const leftKey = (): string => `mull.deleted.${placeOf(box, "all")}`;

  /** A delete right before the page was left may not have reached the server yet. */
  const deleteLeft = (found: readonly Conversation[]): void => {
    const kept = readKept(storage, leftKey());
    const left = new Set(Array.isArray(kept) ? kept : []);
    storage.removeItem(leftKey());
    for (const each of found.filter(({ id }) => left.has(id))) {
      const gone = removeForGood(each);
      doomed.set(each.id, () => gone);
    }
  };

  const showChanged = (id: string, change: Partial<Conversation>): void => {
    const changed = (each: Conversation): Conversation =>
      each.id === id ? { ...each, ...change } : each;
    box.set((before) => {
      const { conversation } = before.thread;
      return {
        ...before,
        list: { ...before.list, conversations: before.list.conversations.map(changed) },
        thread: { ...before.thread, conversation: conversation && changed(conversation) },
      };
    });
  };

  const show = (id: string | undefined): void => {
    parts.setAddress(id);
    void open(id);
  };

  return {
    refresh: () => load(box.get().list.conversations),
    more,
    search: async (search, everything) => {
      setList(box, { search, everything });
      await load([]);
    },
    rename: async (id, title) => {
      const before = box.get().list.conversations.find((each) => each.id === id);
      showChanged(id, { title });
      try {
        showChanged(id, await api.change(id, { title }));
        // A list that was asked for before would bring the old title back.
        shownNth = asked + 1;
        await load(box.get().list.conversations);
      } catch (error) {
        if (before !== undefined) showChanged(id, { title: before.title });
        say(error);
      }
    },
    remove: (conversation) => {
      const { id } = conversation;
      setList(box, {
        conversations: box.get().list.conversations.filter((each) => each.id !== id),
      });
      const wasOpen = box.get().thread.conversation?.id === id;
      if (wasOpen) show(undefined);
      const undo = (): void => {
        clearTimeout(timer);
        doomed.delete(id);
        unsay();
        void load(box.get().list.conversations);
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
    importText: async (text) => {
      try {
        const { conversation, notes, lint } = await api.importFile(readImport(text));
        await load(box.get().list.conversations);
        parts.setAddress(conversation.id);
        await open(conversation.id);
        setThread(box, { findings: lint.findings.filter(({ severity }) => severity === "error") });
        if (notes.length > 0)
          setNotice(box, { text: notes.slice(0, 3).join(" "), isTrouble: false });
      } catch (error) {
        const messages = salvageMessages(text);
        const words = error instanceof SyntaxError ? notJson : wordsOf(error);
        if (messages.length === 0) setNotice(box, { text: words, isTrouble: true });
        else {
          parts.setAddress(undefined);
          await open(undefined);
          setThread(box, { messages, trouble: words, isReadOnly: true });
        }
      }
    },
  };
}

/** Those listed before that a first page does not reach; none where it reaches all there are. */
function olderThan(
  listed: readonly Conversation[],
  found: readonly Conversation[],
): readonly Conversation[] {
  const last = found.at(-1);
  if (last === undefined || found.length < listedAtOnce) return [];
  const ids = new Set(found.map(({ id }) => id));
  return listed.filter(({ id, updatedAt }) => updatedAt <= last.updatedAt && !ids.has(id));
}

/** A file that was exported here, also as it is stored, a bare history, or a list of UI messages. */
function readImport(text: string): object {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { messages: value };
  const fields = new Map(Object.entries(value ?? {}));
  if (fields.has("history")) {
    const { title, createdAt, model, level, system, history } = Object.fromEntries(
      fields,
    ) as Record<string, unknown>;
    return { title, createdAt, model, level, system, history };
  }
  if (!fields.has("messages")) return { history: value };
  return { messages: fields.get("messages"), conversation: fields.get("conversation") };
}
