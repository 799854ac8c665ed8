import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError, listedAtOnce, type Api, type Conversation } from "../api.ts";
import { createListActions, type ListActions } from "./conversations.ts";
import { openBrowser, openParts, refuse } from "./testing/page-state.ts";

/** A server with conversations that changed at 1, 2, 3 and so on. */
function listing(
  count: number,
  refusal?: ApiError,
): {
  readonly actions: ListActions;
  readonly shown: () => readonly string[];
  readonly hasMore: () => boolean;
  readonly touch: (id: string, updatedAt: number) => void;
  readonly removed: readonly string[];
  readonly undo: () => void;
  readonly said: () => string | undefined;
} {
  const times = new Map(Array.from({ length: count }, (_, at) => [`c${at + 1}`, at + 1]));
  const removed: string[] = [];
  const api: Partial<Api> = {
    remove: async (id: string) => {
      if (refusal !== undefined) throw refusal;
      removed.push(id);
    },
    list: async (_search: string, _everything: boolean, behind?: Pick<Conversation, "updatedAt">) =>
      [...times]
        .map(([id, updatedAt]) => ({ id, updatedAt }) as Conversation)
        .filter(({ updatedAt }) => updatedAt < (behind?.updatedAt ?? Infinity))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, listedAtOnce),
  };
  const parts = openParts(api);
  const { box } = parts;
  return {
    actions: createListActions(parts, async () => undefined),
    shown: () => box.get().list.conversations.map(({ id }) => id),
    hasMore: () => box.get().list.hasMore,
    touch: (id, updatedAt) => void times.set(id, updatedAt),
    removed,
    undo: () => box.get().notice?.action?.run(),
    said: () => box.get().notice?.text,
  };
}

describe("a long list of conversations", () => {
  it("R252: is read page by page to its end", async () => {
    const { actions, shown, hasMore } = listing(listedAtOnce + 30);
    await actions.refresh();
    expect([shown().length, hasMore()]).toEqual([listedAtOnce, true]);
    await actions.more();
    expect([shown().length, hasMore()]).toEqual([listedAtOnce + 30, false]);
    expect(shown().at(-1)).toBe("c1");
  });

  it("R252: keeps what was read when a conversation comes to its top", async () => {
    const { actions, shown, hasMore, touch } = listing(listedAtOnce + 30);
    await actions.refresh();
    await actions.more();
    touch("c5", 10_000);
    await actions.refresh();
    expect(shown()[0]).toBe("c5");
    expect(new Set(shown()).size).toBe(shown().length);
    expect([shown().length, hasMore()]).toEqual([listedAtOnce + 30, false]);
  });

  it("R252: offers nothing older where there is nothing", async () => {
    const { actions, shown, hasMore } = listing(3);
    await actions.refresh();
    expect([shown(), hasMore()]).toEqual([["c3", "c2", "c1"], false]);
  });
});

/** The second of three was deleted a moment ago. */
async function deletedOne(refusal?: ApiError): Promise<ReturnType<typeof listing>> {
  vi.useFakeTimers();
  const list = listing(3, refusal);
  await list.actions.refresh();
  list.actions.remove({ id: "c2", title: "Two", updatedAt: 2 } as Conversation);
  return list;
}

describe("a deleted conversation", () => {
  afterEach(() => vi.useRealTimers());

  it("R252: goes from the list at once and from the server when it cannot be undone any more", async () => {
    const { shown, removed } = await deletedOne();
    expect([shown(), removed]).toEqual([["c3", "c1"], []]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(removed).toEqual(["c2"]);
  });

  it("R252: stays where it was undone, also when the page is left", async () => {
    const { actions, shown, removed, undo } = await deletedOne();
    undo();
    await vi.advanceTimersByTimeAsync(20_000);
    await actions.leave();
    expect([shown(), removed]).toEqual([["c3", "c2", "c1"], []]);
  });

  it("R252: does not take the chance to undo from one that was deleted later", async () => {
    const { actions, removed, undo } = await deletedOne();
    await vi.advanceTimersByTimeAsync(8000);
    actions.remove({ id: "c1", title: "One", updatedAt: 1 } as Conversation);
    await vi.advanceTimersByTimeAsync(5000);
    undo();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(removed).toEqual(["c2"]);
  });

  it("R252: is listed again where the server keeps it, and why is said", async () => {
    const { shown, said } = await deletedOne(new ApiError("The server is full.", 507, "full"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([shown(), said()]).toEqual([["c3", "c2", "c1"], "The server is full."]);
  });

  it("R252: that another device has deleted stays away", async () => {
    const { shown, said } = await deletedOne(new ApiError("No such conversation.", 404, "gone"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([shown(), said()]).toEqual([["c3", "c1"], undefined]);
  });

  it("R252: goes from the server when the page is left, once", async () => {
    const { actions, removed } = await deletedOne();
    await actions.leave();
    await actions.leave();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(removed).toEqual(["c2"]);
  });
});

const titled = (title: string): Conversation => ({ id: "c1", title, updatedAt: 1 }) as Conversation;

describe("a list that is read more than once", () => {
  it("R252: an answer that comes late does not replace a later one", async () => {
    const waiting: ((found: readonly Conversation[]) => void)[] = [];
    const parts = openParts({ list: () => new Promise((resolve) => void waiting.push(resolve)) });
    const actions = createListActions(parts, async () => undefined);
    const both = [actions.refresh(), actions.refresh()];
    waiting[1]?.([titled("New")]);
    waiting[0]?.([titled("Old")]);
    await Promise.all(both);
    expect(parts.box.get().list.conversations.map(({ title }) => title)).toEqual(["New"]);
  });

  it("R252: a new title is shown at once and stays, whatever comes late; a refused one goes", async () => {
    const waiting: ((found: readonly Conversation[]) => void)[] = [];
    let refusal: ApiError | undefined;
    const parts = openParts({
      list: () => new Promise((resolve) => void waiting.push(resolve)),
      change: async () => {
        if (refusal !== undefined) throw refusal;
        return titled("New");
      },
    });
    const shown = (): readonly string[] =>
      parts.box.get().list.conversations.map(({ title }) => title);
    const actions = createListActions(parts, async () => undefined);
    const first = actions.refresh();
    waiting[0]?.([titled("Old")]);
    await first;
    const late = actions.refresh();
    const renaming = actions.rename("c1", "New");
    expect(shown()).toEqual(["New"]);
    await vi.waitFor(() => expect(waiting).toHaveLength(3));
    waiting[1]?.([titled("Old")]);
    await late;
    expect(shown()).toEqual(["New"]);
    waiting[2]?.([titled("New")]);
    await renaming;
    refusal = new ApiError("The server is full.", 507, "full");
    await actions.rename("c1", "Newer");
    expect([shown(), parts.box.get().notice?.text]).toEqual([["New"], "The server is full."]);
  });

  it("R252: what was deleted right before the page was left stays away, and is deleted", async () => {
    const browser = openBrowser();
    const left = openParts({ remove: () => new Promise(() => undefined) }, browser);
    const leaving = createListActions(left, async () => undefined);
    leaving.remove(titled("Gone"));
    void leaving.leave();
    const removed: string[] = [];
    const parts = openParts(
      { list: async () => [titled("Gone")], remove: async (id) => void removed.push(id) },
      browser,
    );
    await createListActions(parts, async () => undefined).refresh();
    expect([parts.box.get().list.conversations, removed]).toEqual([[], ["c1"]]);
  });

  it("is shown also where somebody damaged what the browser kept of the last page", async () => {
    const browser = openBrowser();
    const parts = openParts({ list: async () => [titled("Here")] }, browser);
    const damaged = { ...browser.storage, getItem: () => "{half" };
    await createListActions({ ...parts, storage: damaged }, async () => undefined).refresh();
    expect(parts.box.get().list.conversations.map(({ title }) => title)).toEqual(["Here"]);
  });
});

describe("a file that is imported", () => {
  it.each([
    ["Claude's", { model: "claude-opus-5-5", messages: [{ role: "user", content: "Hi" }] }],
    ["Gemini's", { contents: [{ role: "user", parts: [{ text: "Hi" }] }] }],
    ["OpenAI's", { model: "gpt-6-sol", input: "Hi" }],
  ])("F-H2: a request body, %s, is told from a conversation", async (_, body) => {
    const parts = openParts({ importFile: refuse });
    await createListActions(parts, async () => undefined).importText(JSON.stringify(body));
    const { notice, thread } = parts.box.get();
    expect(thread.trouble ?? notice?.text).toMatch(/request body.* mull lint FILE .* --fix/);
  });

  it.each([
    ["as it is stored", { conversation: { head: "b" }, messages: [], turns: [] }],
    ["with UI messages", { messages: [] }],
  ])("F-H2: %s goes to the server with all that belongs to the conversation", async (_, file) => {
    const sent: object[] = [];
    const api: Partial<Api> = {
      importFile: async (content: object) => {
        sent.push(content);
        throw new ApiError("Not now.", 503, "full");
      },
    };
    const parts = openParts(api);
    const { box } = parts;
    const actions = createListActions(parts, async () => undefined);
    await actions.importText(JSON.stringify(file));
    const { conversation, messages } = file as { conversation?: object; messages: object[] };
    expect(sent).toEqual([{ conversation, messages }]);
    expect(box.get().notice?.text).toBe("Not now.");
  });
});
