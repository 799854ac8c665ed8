import type { UIMessage } from "@mull/ui-messages";
import { describe, expect, it } from "vitest";
import { ApiError, type Api, type Conversation, type Loaded } from "../api.ts";
import { firstState, type AppState } from "./app-state.ts";
import { createBox, type Box } from "./box.ts";
import { setNotice, setThread, type StateParts } from "./parts.ts";
import { readPreferences } from "./preferences.ts";
import { createThreadActions, type ThreadActions } from "./thread.ts";

const message = (id: string, role: UIMessage["role"]): UIMessage => ({
  id,
  role,
  parts: [{ type: "text", text: id }],
});

const loaded = (id: string): Loaded => ({
  conversation: { id, title: id, head: null, createdAt: 1, updatedAt: 1 } satisfies Conversation,
  messages: [message(`${id}-question`, "user"), message(`${id}-answer`, "assistant")],
  branchings: [],
  running: null,
});

/** The actions of a page over a server that does what is given. */
function page(api: Partial<Api>): { readonly box: Box<AppState>; readonly thread: ThreadActions } {
  const box = createBox(firstState(readPreferences({}), "ann"));
  const rows = new Map<string, string>();
  const parts: StateParts = {
    api: api as Api,
    box,
    storage: {
      getItem: (key) => rows.get(key) ?? null,
      setItem: (key, value) => void rows.set(key, value),
      removeItem: (key) => void rows.delete(key),
    },
    now: () => 0,
    newKey: () => "key",
    setAddress: () => undefined,
  };
  const thread = createThreadActions(
    parts,
    async () => undefined,
    () => undefined,
  );
  return { box, thread };
}

const idsOf = (box: Box<AppState>): readonly string[] =>
  box.get().thread.messages.map(({ id }) => id);

const refuse = async (): Promise<never> => {
  throw new ApiError("Too many requests.", 429, "rate_limit");
};

describe("the open conversation", () => {
  it("D11: of two that are opened in a row the later one stays, whichever comes first", async () => {
    const answers = new Map<string, (value: Loaded) => void>();
    const { box, thread } = page({
      load: (id) => new Promise((resolve) => answers.set(id, resolve)),
    });
    const [first, second] = [thread.open("one"), thread.open("two")];
    answers.get("two")?.(loaded("two"));
    await second;
    answers.get("one")?.(loaded("one"));
    await first;
    expect(idsOf(box)).toEqual(["two-question", "two-answer"]);
  });

  it("W17: an answer that is not given again stays as it was", async () => {
    const { box, thread } = page({ load: async (id) => loaded(id), retry: refuse });
    await thread.open("one");
    await thread.retry("one-answer");
    expect(idsOf(box)).toEqual(["one-question", "one-answer"]);
    expect(box.get().notice?.text).toBe("Too many requests.");
    expect(box.get().thread.running).toBeUndefined();
  });

  it("W17: what is not taken goes back into the composer", async () => {
    const { box, thread } = page({ load: async (id) => loaded(id), ask: refuse, edit: refuse });
    await thread.open("one");
    box.set((before) => ({ ...before, draft: "more" }));
    await thread.send();
    expect([idsOf(box), box.get().draft]).toEqual([["one-question", "one-answer"], "more"]);
    box.set((before) => ({ ...before, draft: "" }));
    await thread.edit("one-question", "other");
    expect([idsOf(box), box.get().draft]).toEqual([["one-question", "one-answer"], "other"]);
  });

  it("R252: files of a question stay with it when its text is changed", async () => {
    const sent: unknown[] = [];
    const file = {
      type: "file" as const,
      mediaType: "image/png",
      url: "data:image/png;base64,AA==",
    };
    const { thread } = page({
      load: async (id) => ({
        ...loaded(id),
        messages: [{ id: "asked", role: "user", parts: [file, { type: "text", text: "What?" }] }],
      }),
      edit: async (_id, _messageId, parts) => {
        sent.push(...parts);
        return refuse();
      },
    });
    await thread.open("one");
    await thread.edit("asked", "Which?");
    expect(sent).toEqual([file, { type: "text", text: "Which?" }]);
  });

  it("R252: what waits for its turn is in the composer again when the page is opened anew", async () => {
    const { box, thread } = page({ load: async (id) => loaded(id) });
    await thread.open("one");
    setThread(box, { running: { turnId: "turn", line: "live", isStopping: false } });
    box.set((before) => ({ ...before, draft: "next" }));
    await thread.send();
    expect([box.get().thread.queued, box.get().draft]).toEqual(["next", ""]);
    await thread.open("two");
    expect(box.get().draft).toBe("");
    await thread.open("one");
    expect([box.get().thread.queued, box.get().draft]).toEqual([undefined, "next"]);
  });

  it("R252: what is taken back, or not taken, leaves what was written meanwhile", async () => {
    const { box, thread } = page({ load: async (id) => loaded(id), ask: refuse });
    await thread.open("one");
    setThread(box, { running: { turnId: "turn", line: "live", isStopping: false }, queued: "one" });
    box.set((before) => ({ ...before, draft: "two" }));
    thread.unqueue();
    expect(box.get().draft).toBe("one\n\ntwo");
    setThread(box, { running: undefined });
    await thread.ask("zero");
    expect(box.get().draft).toBe("zero\n\none\n\ntwo");
  });

  it("R252: stop means stop: what was queued is not sent behind it, and is in the composer", async () => {
    const asked: unknown[] = [];
    const { box, thread } = page({
      load: async (id) => loaded(id),
      stop: async () => undefined,
      ask: async (_, parts) => {
        asked.push(parts);
        return new Response(null, { status: 204 });
      },
    });
    await thread.open("one");
    setThread(box, {
      running: { turnId: "turn", line: "live", isStopping: false },
      queued: "next",
    });
    box.set((before) => ({ ...before, draft: "more" }));
    await thread.stop();
    expect([box.get().thread.queued, box.get().draft]).toEqual([undefined, "next\n\nmore"]);
    expect(box.get().thread.running?.isStopping).toBe(true);
    expect(asked).toEqual([]);
  });

  it("R252: who opens another conversation while one is made stays there, and it is asked", async () => {
    const asked: string[] = [];
    const waiting: ((made: Conversation) => void)[] = [];
    const { box, thread } = page({
      load: async (id) => loaded(id),
      create: () => new Promise((resolve) => void waiting.push(resolve)),
      ask: async (id) => {
        asked.push(id);
        return new Response();
      },
    });
    const asking = thread.ask("What is 2 + 2?");
    await thread.open("one");
    waiting[0]?.(loaded("new").conversation);
    await asking;
    expect([asked, idsOf(box)]).toEqual([["new"], ["one-question", "one-answer"]]);
    expect(box.get().thread.conversation?.id).toBe("one");
  });

  it("R252: what can be undone can be undone in another conversation, what failed stays behind", async () => {
    const { box, thread } = page({ load: async (id) => loaded(id) });
    const undo = { label: "Undo", run: () => undefined };
    setNotice(box, { text: "Deleted.", isTrouble: false, action: undo });
    await thread.open("one");
    expect(box.get().notice?.text).toBe("Deleted.");
    setNotice(box, { text: "Not taken.", isTrouble: true });
    await thread.open("two");
    expect(box.get().notice).toBeUndefined();
  });

  it("R252: why no other version is shown while an answer comes is said", async () => {
    const { box, thread } = page({ load: async (id) => loaded(id) });
    await thread.open("one");
    setThread(box, { running: { turnId: "turn", line: "live", isStopping: false } });
    await thread.goTo("one-question");
    expect(box.get().notice?.text).toContain("when the answer is whole");
  });
});
