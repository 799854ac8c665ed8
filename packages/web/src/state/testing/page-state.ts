import { vi } from "vitest";
import { ApiError, type Api, type Conversation, type Loaded } from "../../api.ts";
import type { UIFilePart } from "../../thread/read-turn.ts";
import { firstState, type AppState } from "../app-state.ts";
import { createBox, type Box } from "../box.ts";
import type { FileShelf } from "../file-shelf.ts";
import type { PageStorage, StateParts } from "../parts.ts";
import { readPreferences } from "../preferences.ts";
import { createThreadActions, type ThreadActions } from "../thread.ts";

/** What a browser keeps when a page is left. */
export interface Browser {
  readonly storage: PageStorage;
  readonly shelf: FileShelf;
}

/** A browser that keeps files up to so many letters. */
export function openBrowser(room = Infinity): Browser {
  const rows = new Map<string, string>();
  const places = new Map<UIFilePart, string>();
  return {
    storage: {
      isKept: () => true,
      getItem: (key) => rows.get(key) ?? null,
      setItem: (key, value) => void rows.set(key, value),
      removeItem: (key) => void rows.delete(key),
    },
    shelf: {
      has: (file) => places.has(file),
      read: async (place) => [...places].flatMap(([file, at]) => (at === place ? [file] : [])),
      put: async (place, files) => {
        const fitting = files.filter(({ url }) => url.length <= room);
        for (const file of fitting) places.set(file, place);
        return files.filter((file) => !places.has(file));
      },
      remove: async (files) => {
        for (const file of files) places.delete(file);
      },
    },
  };
}

/** What the state stands on, over a server that does what is given. */
export const openParts = (api: Partial<Api>, browser: Browser = openBrowser()): StateParts => ({
  api: { load: async (id: string) => loaded(id), ...api } as Api,
  box: createBox<AppState>({ ...firstState(readPreferences({}), "ann"), phase: "ready" }),
  ...browser,
  now: () => 0,
  newKey: () => "key",
  setAddress: () => undefined,
});

export interface PageState {
  readonly box: Box<AppState>;
  readonly thread: ThreadActions;
  readonly parts: StateParts;
}

/** The actions of a page; one more over the same browser is the page after a reload. */
export function openPage(api: Partial<Api>, browser?: Browser): PageState {
  const parts = openParts(api, browser);
  const thread = createThreadActions(
    parts,
    async () => undefined,
    () => undefined,
  );
  return { box: parts.box, thread, parts };
}

/** What following a turn listens to. */
export function stubWindow(): void {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  vi.stubGlobal("document", new EventTarget());
}

export const named = (id: string): Conversation => ({
  id,
  title: id,
  head: null,
  createdAt: 1,
  updatedAt: 1,
});

export const loaded = (id: string): Loaded => ({
  conversation: named(id),
  messages: [
    { id: `${id}-question`, role: "user", parts: [{ type: "text", text: `${id}-question` }] },
    { id: `${id}-answer`, role: "assistant", parts: [{ type: "text", text: `${id}-answer` }] },
  ],
  branchings: [],
  running: null,
});

export const refuse = async (): Promise<never> => {
  throw new ApiError("Too many requests.", 429, "rate_limit");
};

export const running = { turnId: "turn", line: "live", isStopping: false } as const;
