import { planThinking } from "mull";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Conversation, Loaded } from "../api.ts";
import type { AppState } from "./app-state.ts";
import type { Box } from "./box.ts";
import { handoverIn } from "./handover.ts";
import { keepDraft, setNotice, setThread, tell } from "./parts.ts";
import {
  loaded,
  named,
  openBrowser,
  openPage,
  refuse,
  running,
  stubWindow,
} from "./testing/page-state.ts";

const idsOf = (box: Box<AppState>): readonly string[] =>
  box.get().thread.messages.map(({ id }) => id);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the open conversation", () => {
  it("F-D11: of two that are opened in a row the later one stays, whichever comes first", async () => {
    const answers = new Map<string, (value: Loaded) => void>();
    const { box, thread } = openPage({
      load: (id) => new Promise((resolve) => answers.set(id, resolve)),
    });
    const [first, second] = [thread.open("one"), thread.open("two")];
    answers.get("two")?.(loaded("two"));
    await second;
    answers.get("one")?.(loaded("one"));
    await first;
    expect(idsOf(box)).toEqual(["two-question", "two-answer"]);
  });

  it("F-W17: shows the latest messages first, then those before them, and keeps them", async () => {
    const asked: (string | undefined)[] = [];
    const gate = new EventTarget();
    const letGo = (): unknown => gate.dispatchEvent(new Event("go"));
    const { box, thread } = openPage({
      load: async (id, before) => {
        asked.push(before);
        if (before === undefined) return { ...loaded(id), earlier: "one" };
        await new Promise((resolve) => gate.addEventListener("go", resolve, { once: true }));
        return before === "one" ? { ...loaded("older"), earlier: "two" } : loaded("oldest");
      },
      change: async (id) => named(id),
    });
    await thread.open("new");
    expect(idsOf(box)).toEqual(["new-question", "new-answer"]);
    letGo();
    const whole = ["oldest", "older", "new"].flatMap((id) => [`${id}-question`, `${id}-answer`]);
    await vi.waitFor(() => expect(idsOf(box)).toEqual(whole.slice(2)));
    letGo();
    await vi.waitFor(() => expect(idsOf(box)).toEqual(whole));
    await thread.goTo("new-answer");
    expect(idsOf(box)).toEqual(whole);
    expect(asked).toEqual([undefined, "one", "two", undefined]);
  });

  it("F-W17: an answer that is not given again stays as it was", async () => {
    const { box, thread } = openPage({ retry: refuse });
    await thread.open("one");
    await thread.retry("one-answer");
    expect(idsOf(box)).toEqual(["one-question", "one-answer"]);
    expect(box.get().notice?.text).toBe("Too many requests.");
    expect(box.get().thread.running).toBeUndefined();
  });

  it("F-W17: what is not taken goes back into the composer", async () => {
    const { box, thread } = openPage({ ask: refuse, edit: refuse });
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
    const { thread } = openPage({
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

  it("another model in the middle of a step: the page says who is finishing it, until it has", async () => {
    const { box, thread } = openPage({
      use: async () => ({ tookOver: true, answering: "gpt-6-sol" }),
    });
    await thread.open("one");
    setThread(box, { running });
    await thread.choose({ model: "anthropic:claude-haiku-4-5" });
    const says = "gpt-6-sol is finishing this step, then claude-haiku-4-5.";
    expect(handoverIn(box.get().thread)).toBe(says);
    expect(box.get().news?.text).toBe(says);
    const receipt = { plan: planThinking({ model: "gpt-6-sol", level: "med" }) };
    const done = { type: "data-receipt", data: { receipt, usage: {} } } as const;
    const { messages } = box.get().thread;
    setThread(box, {
      messages: [
        ...messages,
        { id: "live", role: "assistant", parts: [{ type: "step-start" }, done] },
      ],
    });
    expect(handoverIn(box.get().thread)).toBeUndefined();
    await thread.choose({ model: "openai:gpt-6-sol" });
    expect(box.get().thread.running).not.toHaveProperty("handover");
  });

  it("another model while tools run: the page says that it goes on", async () => {
    const { box, thread } = openPage({ use: async () => ({ tookOver: true }) });
    await thread.open("one");
    setThread(box, { running });
    await thread.choose({ level: "high" });
    expect(handoverIn(box.get().thread)).toBeUndefined();
    await thread.choose({ model: "openai:gpt-6-sol" });
    expect(handoverIn(box.get().thread)).toBe("gpt-6-sol continues from here.");
  });

  it("R252: what waits for its turn is in the composer again when the page is opened anew", async () => {
    const { box, thread } = openPage({});
    await thread.open("one");
    setThread(box, { running });
    box.set((before) => ({ ...before, draft: "next" }));
    await thread.send();
    expect([box.get().thread.queued, box.get().draft]).toEqual(["next", ""]);
    await thread.open("two");
    expect(box.get().draft).toBe("");
    await thread.open("one");
    expect([box.get().thread.queued, box.get().draft]).toEqual([undefined, "next"]);
  });

  it("R252: what is taken back, or not taken, leaves what was written meanwhile", async () => {
    const { box, thread } = openPage({ ask: refuse });
    await thread.open("one");
    setThread(box, { running, queued: "one" });
    box.set((before) => ({ ...before, draft: "two" }));
    thread.unqueue();
    expect(box.get().draft).toBe("one\n\ntwo");
    setThread(box, { running: undefined });
    await thread.ask("zero");
    expect(box.get().draft).toBe("zero\n\none\n\ntwo");
  });

  it("R252: a question that is being changed is open again after a reload, with the change", async () => {
    const browser = openBrowser();
    const before = openPage({}, browser);
    await before.thread.open("one");
    before.thread.setEditing("one-question");
    before.thread.keepEdit("one-question", "changed");
    const { box, thread } = openPage({ edit: refuse }, browser);
    await thread.open("one");
    expect(box.get().thread.editing).toBe("one-question");
    expect(thread.readEdit("one-question")).toBe("changed");
    thread.setEditing(undefined);
    expect([box.get().thread.editing, thread.readEdit("one-question")]).toEqual([undefined, ""]);
    thread.keepEdit("one-question", "other");
    await thread.edit("one-question", "other");
    expect([box.get().draft, thread.readEdit("one-question")]).toEqual(["other", ""]);
  });

  it("R252: what is written before a conversation is there is written for it", async () => {
    const browser = openBrowser();
    const slow = openPage({ load: () => new Promise(() => undefined) }, browser);
    void slow.thread.open("one");
    keepDraft(slow.parts, "not lost");
    const { box, thread } = openPage({}, browser);
    thread.prepare("one");
    expect([box.get().draft, box.get().thread.isLoading]).toEqual(["not lost", true]);
    keepDraft({ ...slow.parts, box }, "not lost, and more");
    await thread.open("one");
    expect([box.get().draft, idsOf(box).length]).toEqual(["not lost, and more", 2]);
    await thread.open(undefined);
    expect(box.get().draft).toBe("");
  });

  it("R252: what is on its way is found once by who leaves and comes back", async () => {
    stubWindow();
    const asked: ((answer: Response) => void)[] = [];
    const { box, thread } = openPage({
      ask: () => new Promise((resolve) => void asked.push(resolve)),
      follow: async () => new Response(null, { status: 204 }),
    });
    await thread.open("one");
    box.set((before) => ({ ...before, draft: "on its way" }));
    const sending = thread.send();
    await thread.open("two");
    await thread.open("one");
    expect(box.get().draft).toBe("on its way");
    asked[0]?.(new Response(null, { status: 204 }));
    await sending;
    expect(box.get().draft).toBe("");
    await thread.open("one");
    expect(box.get().draft).toBe("");
  });

  it("R252: stop means stop: what was queued is not sent behind it, and is in the composer", async () => {
    const asked: unknown[] = [];
    const { box, thread } = openPage({
      stop: async () => undefined,
      ask: async (_, parts) => {
        asked.push(parts);
        return new Response(null, { status: 204 });
      },
    });
    await thread.open("one");
    setThread(box, {
      running,
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
    const { box, thread } = openPage({
      create: () => new Promise((resolve) => void waiting.push(resolve)),
      ask: async (id) => {
        asked.push(id);
        return new Response();
      },
    });
    const asking = thread.ask("What is 2 + 2?");
    await thread.open("one");
    waiting[0]?.(named("new"));
    await asking;
    expect([asked, idsOf(box)]).toEqual([["new"], ["one-question", "one-answer"]]);
    expect(box.get().thread.conversation?.id).toBe("one");
  });

  it("F-W25: what is shown is spoken as well, and does not silence what comes after it", () => {
    const { box } = openPage({});
    setNotice(box, { text: "Deleted.", isTrouble: false });
    expect(box.get().news?.text).toBe("Deleted.");
    tell(box, "Copied.");
    setNotice(box, { text: "Not taken.", isTrouble: true });
    expect(box.get().news?.text).toBe("Copied.");
  });

  it("R252: what can be undone can be undone in another conversation, what failed stays behind", async () => {
    const { box, thread } = openPage({});
    const undo = { label: "Undo", run: () => undefined };
    setNotice(box, { text: "Deleted.", isTrouble: false, action: undo });
    await thread.open("one");
    expect(box.get().notice?.text).toBe("Deleted.");
    setNotice(box, { text: "Not taken.", isTrouble: true });
    await thread.open("two");
    expect(box.get().notice).toBeUndefined();
  });

  it("R252: why no other version is shown while an answer comes is said", async () => {
    const { box, thread } = openPage({});
    await thread.open("one");
    setThread(box, { running });
    await thread.goTo("one-question");
    expect(box.get().notice?.text).toContain("when this answer is complete");
  });
});
