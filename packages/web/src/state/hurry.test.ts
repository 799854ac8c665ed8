import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, type Api, type Choice, type Loaded } from "../api.ts";
import { textOf, type UIFilePart } from "../thread/read-turn.ts";
import type { AppState } from "./app-state.ts";
import type { Box } from "./box.ts";
import { filesOf } from "./files.ts";
import { keepDraft, setThread } from "./parts.ts";
import { loaded, named, openBrowser, openPage, running, stubWindow } from "./testing/page-state.ts";

/** Answers that are given when the test says so, in the order of the calls. */
function createLater<T>(): {
  readonly call: () => Promise<T>;
  readonly answer: (nth: number, value: T) => void;
  readonly refuse: (nth: number, error: Error) => void;
} {
  const waiting: PromiseWithResolve<T>[] = [];
  return {
    call: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      }),
    answer: (nth, value) => waiting[nth]?.resolve(value),
    refuse: (nth, error) => waiting[nth]?.reject(error),
  };
}

interface PromiseWithResolve<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

const part: UIFilePart = {
  type: "file",
  mediaType: "text/plain",
  filename: "a.md",
  url: "data:text/plain;base64,d2hhdCBpdCBzYXlz",
};
const question = (text: string): Loaded["messages"][number] => ({
  id: "taken",
  role: "user",
  parts: [part, { type: "text", text }],
});
const silence = (): Promise<never> => new Promise(() => undefined);
const lose = async (): Promise<never> => {
  throw new ApiError("The server cannot be reached.", 0, "offline");
};
const over = (): Response => new Response(null, { status: 204 });
const shown = (box: Box<AppState>): readonly string[] => box.get().thread.messages.map(textOf);
const write = (box: Box<AppState>, draft: string): void =>
  box.set((before) => ({ ...before, draft }));

beforeEach(stubWindow);
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("R252 who is faster than the server", () => {
  it("sends before the conversation is there: it is asked when it is, of its own model", async () => {
    const reading = createLater<Loaded>();
    const asked: unknown[] = [];
    const { box, thread } = openPage({
      load: reading.call,
      ask: async (id, parts, choice) => {
        asked.push(id, parts, choice.model);
        return new Promise(() => undefined);
      },
    });
    const opening = thread.open("one");
    write(box, "Quick?");
    await thread.send();
    expect([box.get().thread.queued, box.get().draft, asked]).toEqual(["Quick?", "", []]);
    reading.answer(0, {
      ...loaded("one"),
      conversation: { ...named("one"), model: "openai:gpt-6-sol" },
    });
    await vi.waitFor(() => expect(asked).toHaveLength(3));
    expect(asked).toEqual(["one", [{ type: "text", text: "Quick?" }], "openai:gpt-6-sol"]);
    expect(shown(box)).toEqual(["one-question", "one-answer", "Quick?"]);
    void opening;
  });

  it("sends before the conversation is there: it waits for the answer that is coming in it", async () => {
    const reading = createLater<Loaded>();
    const { box, thread } = openPage({
      load: reading.call,
      follow: () => new Promise(() => undefined),
    });
    void thread.open("one");
    write(box, "Quick?");
    await thread.send();
    reading.answer(0, { ...loaded("one"), running: { turnId: "turn" } });
    await vi.waitFor(() => expect(box.get().thread.running?.turnId).toBe("turn"));
    expect(box.get().thread.queued).toBe("Quick?");
  });

  it("sends before a conversation that cannot be read: it is in the composer again", async () => {
    const reading = createLater<Loaded>();
    const { box, thread } = openPage({ load: reading.call });
    const opening = thread.open("one");
    write(box, "Quick?");
    await thread.send();
    reading.refuse(0, new ApiError("The server cannot be reached.", 0, "offline"));
    await opening;
    expect([box.get().thread.queued, box.get().draft]).toEqual([undefined, "Quick?"]);
  });

  it("sends before it is known who asks: it is asked when that is", async () => {
    const asked: unknown[] = [];
    const { box, thread } = openPage({
      create: async () => named("new"),
      ask: async (id) => {
        asked.push(id);
        return over();
      },
    });
    box.set((before) => ({ ...before, phase: "opening" }));
    write(box, "Quick?");
    await thread.send();
    expect([box.get().thread.queued, asked]).toEqual(["Quick?", []]);
    box.set((before) => ({ ...before, phase: "ready" }));
    await thread.open(undefined);
    expect([asked, box.get().draft]).toEqual([["new"], ""]);
  });

  it("asks while the conversation is read again: the question stays in sight", async () => {
    const reading = createLater<Loaded>();
    const { box, thread } = openPage({
      load: reading.call,
      ask: () => new Promise(() => undefined),
    });
    const opening = thread.open("one");
    reading.answer(0, loaded("one"));
    await opening;
    const again = thread.reconnect();
    void thread.ask("Quick?");
    reading.answer(1, loaded("one"));
    await again;
    expect(shown(box)).toEqual(["one-question", "one-answer", "Quick?"]);
    expect(box.get().thread.running).toBeDefined();
  });

  it("asks while another version is fetched: the question stays in sight", async () => {
    const reading = createLater<Loaded>();
    const load = vi.fn<typeof reading.call>(reading.call);
    const { box, thread } = openPage({
      load,
      change: async (id) => named(id),
      ask: () => new Promise(() => undefined),
    });
    const opening = thread.open("one");
    reading.answer(0, loaded("one"));
    await opening;
    const going = thread.goTo("other");
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    void thread.ask("Quick?");
    reading.answer(1, loaded("one"));
    await going;
    expect(shown(box)).toEqual(["one-question", "one-answer", "Quick?"]);
  });

  it("opens a question to change it while the conversation is read again: it stays open", async () => {
    const reading = createLater<Loaded>();
    const { box, thread } = openPage({ load: reading.call });
    const opening = thread.open("one");
    reading.answer(0, loaded("one"));
    await opening;
    const again = thread.reconnect();
    thread.setEditing("one-question");
    reading.answer(1, loaded("one"));
    await again;
    expect(box.get().thread.editing).toBe("one-question");
  });

  it("turns the dial while a conversation is read: it stays where it was turned", async () => {
    const reading = createLater<Loaded>();
    const { box, thread } = openPage({ load: reading.call, change: async (id) => named(id) });
    const opening = thread.open("one");
    await thread.choose({ level: "max" });
    reading.answer(0, { ...loaded("one"), conversation: { ...named("one"), level: "low" } });
    await opening;
    expect(box.get().choice.level).toBe("max");
  });

  it("turns the dial twice: the server hears it in that order", async () => {
    const first = createLater<void>();
    const heard: Partial<Choice>[] = [];
    const change = vi.fn<Api["change"]>(async (id: string, { level }: Partial<Choice>) => {
      if (level === "high") await first.call();
      if (level !== undefined) heard.push({ level });
      return named(id);
    });
    const { thread } = openPage({ change });
    await thread.open("one");
    const both = [thread.choose({ level: "high" }), thread.choose({ level: "max" })];
    await vi.waitFor(() => expect(change).toHaveBeenCalled());
    first.answer(0, undefined);
    await Promise.all(both);
    expect(heard).toEqual([{ level: "high" }, { level: "max" }]);
  });

  it("drops a file and sends at once: it goes along", async () => {
    const asked: string[] = [];
    const { box, thread } = openPage({
      ask: async (_, parts) => {
        asked.push(...parts.map(({ type }) => type));
        return over();
      },
    });
    await thread.open("one");
    const given = thread.attach([new File(["what it says"], "a.md")]);
    keepDraft({ ...openPage({}).parts, box }, "Read it.");
    await Promise.all([given, thread.send(), thread.send()]);
    expect(asked).toEqual(["file", "text"]);
  });

  it("clicks twice on a fork: there is one", async () => {
    const making = createLater<ReturnType<typeof named>>();
    const fork = vi.fn<typeof making.call>(making.call);
    const { thread } = openPage({ fork });
    await thread.open("one");
    const both = [thread.fork({ messageId: "m" }), thread.fork({ messageId: "m" })];
    making.answer(0, named("fork"));
    await Promise.all(both);
    expect(fork).toHaveBeenCalledTimes(1);
  });

  it("asks for another answer while one is coming: nothing is taken away, and why is said", async () => {
    const { box, thread } = openPage({});
    await thread.open("one");
    setThread(box, { running, editing: "one-question" });
    await thread.retry("one-answer");
    await thread.edit("one-question", "Other?");
    expect(shown(box)).toEqual(["one-question", "one-answer"]);
    expect(box.get().thread.editing).toBe("one-question");
    expect(box.get().notice?.text).toContain("An answer is still coming");
  });
});

describe("R252 who leaves the page while a question is on its way", () => {
  /** Sends, and reloads the page before the server has answered. */
  async function sendAndReload(ask: Api["ask"], taken: Loaded): Promise<Box<AppState>> {
    const browser = openBrowser();
    const before = openPage({ ask }, browser);
    await before.thread.open("one");
    await before.thread.attach([new File(["what it says"], "a.md")]);
    write(before.box, "Why?");
    const sending = before.thread.send();
    keepDraft(before.parts, "And how?");
    if (ask === lose) await sending;
    const { box, thread } = openPage({ load: async () => taken }, browser);
    await thread.open("one");
    return box;
  }

  it.each([
    ["is silent", silence],
    ["is gone with the page", lose],
  ])("finds it asked, and not in the composer once more: the line %s", async (_, ask) => {
    const { messages, ...rest } = loaded("one");
    const box = await sendAndReload(ask, { ...rest, messages: [...messages, question("Why?")] });
    expect([box.get().draft, filesOf(box.get())]).toEqual(["And how?", []]);
  });

  it("finds it in the composer where the server did not get it", async () => {
    const box = await sendAndReload(silence, loaded("one"));
    expect(box.get().draft).toBe("Why?\n\nAnd how?");
    expect(filesOf(box.get()).map(({ filename }) => filename)).toEqual(["a.md"]);
  });
});
