import { listedAtOnce, type Conversation } from "../api.ts";
import { sayTrouble, setList, setThread, type StateParts } from "./parts.ts";
import type { Removals } from "./removals.ts";

/** Reads the list of conversations, page by page. */
export interface ListReader {
  /** The first page, and what of `listed` comes after it. */
  readonly load: (listed: readonly Conversation[]) => Promise<void>;
  /** The next page. */
  readonly more: () => Promise<void>;
  /** Responses that are on their way are old. */
  readonly outdate: () => void;
}

export function createListReader(
  parts: StateParts,
  { isGone, deleteLeft }: Pick<Removals, "isGone" | "deleteLeft">,
): ListReader {
  const { api, box } = parts;
  /** A response that arrives after a later one is old. */
  let [asked, shownNth] = [0, 0];
  return {
    load: async (listed) => {
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
          conversations: [...found, ...older].filter(({ id }) => !isGone(id)),
          hasMore: older.length > 0 ? now.hasMore : found.length === listedAtOnce,
          isLoaded: true,
        });
        void loadPinned(parts);
        const shown = box.get().thread.conversation;
        const named = found.find(({ id }) => id === shown?.id);
        if (named !== undefined) setThread(box, { conversation: named });
      } catch (error) {
        sayTrouble(box, error);
      }
    },
    more: async () => {
      const { search, everything, conversations } = box.get().list;
      const found = await api
        .list(search, everything, conversations.at(-1))
        .catch((error: unknown) => sayTrouble(box, error));
      const now = box.get().list;
      if (found === undefined || now.search !== search || now.everything !== everything) return;
      const known = new Set(now.conversations.map(({ id }) => id));
      const added = found.filter(({ id }) => !known.has(id) && !isGone(id));
      setList(box, {
        conversations: [...now.conversations, ...added],
        hasMore: found.length === listedAtOnce,
      });
    },
    outdate: () => {
      shownNth = asked + 1;
    },
  };
}

/** They are at the top of the list, however old they are. One that was deleted is no more. */
async function loadPinned({ api, box }: StateParts): Promise<void> {
  const { list, preferences } = box.get();
  const known = new Set(list.conversations.map(({ id }) => id));
  const missing = (preferences.pinned ?? []).filter((id) => !known.has(id));
  const found = await Promise.all(missing.map((id) => api.find(id).catch(() => undefined)));
  const pinnedOlder = found.filter((each) => each !== undefined);
  if (pinnedOlder.length > 0 || list.pinnedOlder !== undefined) setList(box, { pinnedOlder });
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
