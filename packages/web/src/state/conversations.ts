import type { Conversation } from "../api.ts";
import type { AppState } from "./app-state.ts";
import type { Box } from "./box.ts";
import { createListReader, type ListReader } from "./list-reader.ts";
import { sayTrouble, setList, type StateParts } from "./parts.ts";
import { createRemovals, type Removals } from "./removals.ts";

export interface ListActions extends Pick<ListReader, "more">, Pick<Removals, "remove" | "leave"> {
  readonly refresh: () => Promise<void>;
  readonly search: (text: string, everything: boolean) => Promise<void>;
  readonly rename: (id: string, title: string) => Promise<void>;
  readonly importText: (text: string) => Promise<void>;
}

export function createListActions(
  parts: StateParts,
  open: (id: string | undefined) => Promise<void>,
): ListActions {
  const { api, box } = parts;
  const refresh = (): Promise<void> => reader.load(box.get().list.conversations);
  const show = (id: string | undefined): Promise<void> => {
    parts.setAddress(id);
    return open(id);
  };
  const removals = createRemovals(
    parts,
    () => void refresh(),
    (id) => void show(id),
  );
  const reader: ListReader = createListReader(parts, removals);
  return {
    refresh,
    more: reader.more,
    remove: removals.remove,
    leave: removals.leave,
    search: async (search, everything) => {
      setList(box, { search, everything });
      await reader.load([]);
    },
    rename: async (id, title) => {
      const before = box.get().list.conversations.find((each) => each.id === id);
      showChanged(box, id, { title });
      try {
        showChanged(box, id, await api.change(id, { title }));
        // A list that was asked for before would bring the old title back.
        reader.outdate();
        await refresh();
      } catch (error) {
        if (before !== undefined) showChanged(box, id, { title: before.title });
        sayTrouble(box, error);
      }
    },
    importText: async (text) => {
      try {
        const { importText } = await import("./import-text.ts");
        await importText(parts, text, async (id) => {
          if (id !== undefined) await refresh();
          await show(id);
        });
      } catch (error) {
        sayTrouble(box, error);
      }
    },
  };
}

function showChanged(box: Box<AppState>, id: string, change: Partial<Conversation>): void {
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
}
