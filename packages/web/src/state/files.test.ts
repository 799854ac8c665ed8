import { describe, expect, it } from "vitest";
import { ApiError, type Api, type Loaded } from "../api.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import { firstState, type AppState } from "./app-state.ts";
import { createBox, type Box } from "./box.ts";
import { filesOf, namesOf } from "./files.ts";
import { setThread, type StateParts } from "./parts.ts";
import { readPreferences } from "./preferences.ts";
import { createThreadActions, type ThreadActions } from "./thread.ts";

const loaded = (id: string): Loaded => ({
  conversation: { id, title: id, head: null, createdAt: 1, updatedAt: 1 },
  messages: [],
  branchings: [],
  running: null,
});

function page(api: Partial<Api>): { readonly box: Box<AppState>; readonly thread: ThreadActions } {
  const box = createBox(firstState(readPreferences({}), "ann"));
  const parts: StateParts = {
    api: { load: async (id: string) => loaded(id), ...api } as Api,
    box,
    storage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
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

const refuse = async (): Promise<never> => {
  throw new ApiError("Too many requests.", 429, "rate_limit");
};

const file = (name: string): File => new File(["what it says"], name);
const shown = (box: Box<AppState>): string => namesOf(filesOf(box.get()));
const running = { turnId: "turn", line: "live", isStopping: false } as const;
const part: UIFilePart = {
  type: "file",
  mediaType: "text/plain",
  filename: "a.ts",
  url: "data:text/plain;base64,d2hhdCBpdCBzYXlz",
};

describe("R252 files beside a question", () => {
  it.each([
    ["Why?", [part, { type: "text", text: "Why?" }]],
    ["", [part]],
  ])("are asked with it, also without a word: %j", async (draft, parts) => {
    const asked: unknown[] = [];
    const { box, thread } = page({
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
    const { box, thread } = page({
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

  it("wait with what is queued, and come back with it", async () => {
    const { box, thread } = page({});
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
    const { box, thread } = page({});
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
    const { box, thread } = page({});
    await thread.attach([new File([], "nothing.txt"), file("a.ts")]);
    expect([shown(box), box.get().notice?.text]).toEqual(["a.ts", "nothing.txt is empty."]);
  });
});
