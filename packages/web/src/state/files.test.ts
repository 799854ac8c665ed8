import { afterEach, describe, expect, it, vi } from "vitest";
import type { UIFilePart } from "../thread/read-turn.ts";
import type { AppState } from "./app-state.ts";
import type { Box } from "./box.ts";
import { createListActions } from "./conversations.ts";
import { filesOf, lostFiles, namesOf } from "./files.ts";
import { setThread } from "./parts.ts";
import { named, openBrowser, openPage, refuse, running, stubWindow } from "./testing/page-state.ts";

const file = (name: string): File => new File(["what it says"], name);
const shown = (box: Box<AppState>): string => namesOf(filesOf(box.get()));
const part: UIFilePart = {
  type: "file",
  mediaType: "text/plain",
  filename: "a.ts",
  url: "data:text/plain;base64,d2hhdCBpdCBzYXlz",
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("R252 files beside a question", () => {
  it.each([
    ["Why?", [part, { type: "text", text: "Why?" }]],
    ["", [part]],
  ])("are asked with it, also without a word: %j", async (draft, parts) => {
    const asked: unknown[] = [];
    const { box, thread } = openPage({
      ask: (_, given) => {
        asked.push(given, shown(box));
        return refuse();
      },
    });
    await thread.open("one");
    await thread.attach([file("a.ts")]);
    box.set((before) => ({ ...before, draft }));
    await thread.send();
    expect(asked).toEqual([parts, ""]);
  });

  it("come back when the question is not taken, before those added meanwhile", async () => {
    const { box, thread } = openPage({
      ask: async () => {
        await thread.attach([file("later.md")]);
        return refuse();
      },
    });
    await thread.open("one");
    await thread.attach([file("a.ts"), file("b.ts")]);
    await thread.send();
    expect(shown(box)).toBe("a.ts, b.ts, later.md");
  });

  it("stand in the order they were given, also when a later one is read sooner", async () => {
    const { box, thread } = openPage({});
    await thread.open("one");
    const slow = file("slow.md");
    const bytes = slow.arrayBuffer();
    slow.arrayBuffer = () => new Promise((resolve) => setTimeout(() => resolve(bytes), 5));
    await Promise.all([thread.attach([slow]), thread.attach([file("quick.ts")])]);
    expect(shown(box)).toBe("slow.md, quick.ts");
  });

  it("wait with what is queued, and come back with it", async () => {
    const { box, thread } = openPage({});
    await thread.open("one");
    setThread(box, { running });
    await thread.attach([file("a.ts")]);
    await thread.send();
    expect([shown(box), namesOf(box.get().thread.queuedFiles)]).toEqual(["", "a.ts"]);
    await thread.attach([file("b.ts")]);
    expect(shown(box)).toBe("b.ts");
    thread.unqueue();
    expect(shown(box)).toBe("a.ts, b.ts");
  });

  it("stay with their conversation, what was queued as well", async () => {
    const { box, thread } = openPage({});
    await thread.open("one");
    setThread(box, { running });
    await thread.attach([file("a.ts")]);
    await thread.send();
    await thread.open("two");
    expect(shown(box)).toBe("");
    await thread.open("one");
    expect(shown(box)).toBe("a.ts");
    const [only] = filesOf(box.get());
    if (only !== undefined) thread.detach(only);
    expect([shown(box), box.get().news?.text]).toEqual(["", "Removed: a.ts."]);
  });

  it("that cannot be taken are named", async () => {
    const { box, thread } = openPage({});
    await thread.attach([new File([], "nothing.txt"), file("a.ts")]);
    expect([shown(box), box.get().notice?.text]).toEqual(["a.ts", "nothing.txt is empty."]);
  });

  it("are there again after a reload, in their order, each in its own conversation", async () => {
    const browser = openBrowser();
    const before = openPage({}, browser);
    await before.thread.open("one");
    await before.thread.attach([file("a.ts"), file("b.ts"), file("c.ts")]);
    const [, second] = filesOf(before.box.get());
    if (second !== undefined) before.thread.detach(second);
    const { box, thread } = openPage({}, browser);
    await thread.open("two");
    expect(shown(box)).toBe("");
    await thread.open("one");
    expect(shown(box)).toBe("a.ts, c.ts");
    box.set((state) => ({ ...state, userName: "bob", files: new Map() }));
    await thread.open("one");
    expect(shown(box)).toBe("");
  });

  it("come before those that are added while they are fetched", async () => {
    const browser = openBrowser();
    const before = openPage({}, browser);
    await before.thread.attach([file("a.ts")]);
    const fetching: (() => void)[] = [];
    const read = async (place: string): Promise<readonly UIFilePart[]> => {
      await new Promise<void>((resolve) => void fetching.push(resolve));
      return browser.shelf.read(place);
    };
    const { box, thread } = openPage({}, { ...browser, shelf: { ...browser.shelf, read } });
    await thread.open(undefined);
    await thread.attach([file("b.ts")]);
    fetching[0]?.();
    await expect.poll(() => shown(box)).toBe("a.ts, b.ts");
  });

  it("are kept with the words until the server has taken the question", async () => {
    stubWindow();
    const browser = openBrowser();
    const kept = async (): Promise<readonly string[]> => {
      const { box, thread } = openPage({}, browser);
      await thread.open("one");
      return [box.get().draft, shown(box)];
    };
    const seen: (readonly string[])[] = [];
    const { box, thread } = openPage(
      {
        create: async () => named("one"),
        ask: async () => {
          seen.push(await kept());
          return new Response(null, { status: 204 });
        },
        follow: async () => new Response(null, { status: 204 }),
      },
      browser,
    );
    await thread.attach([file("a.ts")]);
    box.set((before) => ({ ...before, draft: "Why?" }));
    await thread.send();
    expect([...seen, await kept()]).toEqual([
      ["Why?", "a.ts"],
      ["", ""],
    ]);
  });

  it("go along into the conversation that another question begins", async () => {
    const { box, thread } = openPage({ create: async () => named("one"), ask: refuse });
    await thread.attach([file("a.ts")]);
    await thread.ask("What is 2 + 2?");
    expect([box.get().thread.conversation?.id, shown(box)]).toEqual(["one", "a.ts"]);
  });

  it("that the browser has no room for are named before they are lost", async () => {
    const { box, thread, parts } = openPage({}, openBrowser(60));
    const large = new File(["x".repeat(100)], "large.txt");
    await thread.attach([file("a.ts"), large]);
    expect(shown(box)).toBe("a.ts, large.txt");
    expect(box.get().notice?.text).toContain("no room to store large.txt");
    expect(namesOf(lostFiles(parts))).toBe("large.txt");
  });

  it("are gone with a conversation that is deleted for good", async () => {
    const { box, thread, parts } = openPage({ remove: async () => undefined });
    await thread.open("one");
    await thread.attach([file("a.ts")]);
    const list = createListActions(parts, thread.open);
    list.remove(named("one"));
    await list.leave();
    expect([shown(box), await parts.shelf.read("ann.one")]).toEqual(["", []]);
  });
});
