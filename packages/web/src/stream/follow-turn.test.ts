import * as fc from "fast-check";
import type { UIChunk } from "@mull/ui-messages";
import { afterEach, describe, expect, it, vi } from "vitest";
import { followTurn, type FollowEnd, type FollowOptions, type LineState } from "./follow-turn.ts";
import { watchSight, type Sight } from "./sight.ts";
import { stub } from "../../../../test/stubs.ts";

const words = Array.from({ length: 12 }, (_, n) => `word${n} `);

/** Numbers as the server gives them: a piece of text counts by its length. */
const frames = (() => {
  let id = 1;
  const list = [{ id, data: JSON.stringify({ type: "start", messageId: "t" }) }];
  for (const delta of words) {
    id += delta.length;
    list.push({ id, data: JSON.stringify({ type: "text-delta", id: "0", delta }) });
  }
  list.push({ id: id + 1, data: JSON.stringify({ type: "finish" }) });
  return list;
})();

const encode = (list: readonly { readonly id: number; readonly data: string }[]): string =>
  list.map(({ id, data }) => `id: ${id}\ndata: ${data}\n\n`).join("");

/** A body that breaks off after so many characters, wherever that is. */
const body = (text: string, breaks: boolean): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(text));
        if (breaks) controller.error(new Error("cut"));
        else controller.close();
      },
    }),
  );

interface Run {
  readonly end: FollowEnd;
  readonly text: string;
  readonly lines: readonly LineState[];
  readonly asked: readonly number[];
}

const inSight: Sight = {
  isAway: () => false,
  onAway: () => () => undefined,
  untilBack: async () => undefined,
};

async function run(
  open: (after: number, nth: number) => Response,
  { sight = inSight, ...given }: Partial<Pick<FollowOptions, "sight" | "first" | "lines">> = {},
): Promise<Run> {
  const chunks: UIChunk[] = [];
  const lines: LineState[] = [];
  const asked: number[] = [];
  let time = 0;
  const end = await followTurn({
    open: (after) => {
      asked.push(after);
      return Promise.resolve(open(after, asked.length));
    },
    onChunks: (news) => chunks.push(...news),
    onLine: (line) => lines.push(line),
    signal: new AbortController().signal,
    now: () => time,
    sleep: (ms) => {
      time += ms;
      return Promise.resolve();
    },
    onOffline: () => () => undefined,
    sight,
    ...given,
  });
  const text = chunks
    .map((chunk) => (typeof chunk["delta"] === "string" ? chunk["delta"] : ""))
    .join("");
  return { end, text, lines, asked };
}

interface Tab {
  readonly page: Document;
  readonly show: (state: DocumentVisibilityState) => void;
}

/** A page that can be brought into sight and out of it. */
function createTab(): Tab {
  const first: { visibilityState: DocumentVisibilityState } = { visibilityState: "visible" };
  const page = Object.assign(new EventTarget(), first);
  return {
    page: stub<Document>(page),
    show: (state) => {
      page.visibilityState = state;
      page.dispatchEvent(new Event("visibilitychange"));
    },
  };
}

interface OpenLine {
  readonly response: Response;
  readonly isRead: Promise<void>;
  readonly isLetGo: Promise<void>;
}

/** An answer that stays open after what it says first. */
function createLine(text: string): OpenLine {
  const [read, letGo] = [createSignal(), createSignal()];
  let isSaid = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (isSaid) {
          read.give();
          return new Promise(() => undefined);
        }
        isSaid = true;
        controller.enqueue(new TextEncoder().encode(text));
        return undefined;
      },
      cancel: letGo.give,
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(stream), isRead: read.given, isLetGo: letGo.given };
}

const nothing = (): void => undefined;

function createSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = nothing;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

const after = (number: number): string => encode(frames.filter(({ id }) => id > number));

describe("following a turn", () => {
  afterEach(() => void vi.useRealTimers());

  it("F-W14 tells the whole text once, wherever and however often the line breaks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(900), { maxLength: 6 }),
        fc.boolean(),
        async (cuts, breaks) => {
          const { end, text } = await run((number, nth) => {
            const rest = after(number);
            const cut = cuts[nth - 1];
            return cut === undefined ? body(rest, false) : body(rest.slice(0, cut), breaks);
          });
          expect(end).toBe("ended");
          expect(text).toBe(words.join(""));
        },
      ),
    );
  });

  it("takes nothing twice from a server that repeats itself", async () => {
    const { text } = await run((_, nth) =>
      nth === 1 ? body(encode(frames.slice(0, 6)), true) : body(after(0), false),
    );
    expect(text).toBe(words.join(""));
  });

  it("waits longer each time, says so after 2 s, and gives up after 30 s", async () => {
    const { end, lines, asked } = await run(() => new Response(null, { status: 502 }));
    expect(end).toBe("lost");
    expect(lines.at(-1)).toBe("lost");
    expect(lines).toContain("reconnecting");
    expect(asked.length).toBeLessThan(12);
  });

  it("F-D1 is done with a turn of which a server that died has kept less than it told", async () => {
    const { end, asked } = await run((_, nth) =>
      nth === 1 ? body(encode(frames.slice(0, 6)), true) : body("data: [DONE]\n\n", false),
    );
    expect([end, asked.length]).toEqual(["ended", 2]);
  });

  it("is done with a turn the server does not know", async () => {
    expect((await run(() => new Response(null, { status: 204 }))).end).toBe("gone");
  });

  it("F-W14: a tab that nobody looks at lets its line go, and has everything when it is looked at", async () => {
    const tab = createTab();
    const first = createLine(encode(frames.slice(0, 6)));
    const running = run((number) => body(after(number), false), {
      sight: watchSight(tab.page, () => false),
      first: first.response,
    });
    await first.isRead;
    tab.show("hidden");
    await first.isLetGo;
    tab.show("visible");
    const { end, text, lines, asked } = await running;
    expect([end, text]).toEqual(["ended", words.join("")]);
    expect(asked).toEqual([frames.at(5)?.id]);
    expect(lines).toEqual(["live", "live"]);
  });

  it("F-W14: a tab that was left before its answer began does not hold a line for it", async () => {
    const tab = createTab();
    tab.show("hidden");
    const first = createLine(encode(frames.slice(0, 6)));
    const running = run((number) => body(after(number), false), {
      sight: watchSight(tab.page, () => false),
      first: first.response,
    });
    await first.isLetGo;
    tab.show("visible");
    expect((await running).text).toBe(words.join(""));
  });

  it("F-W14: a tab in which a question is queued reads on out of sight", async () => {
    const tab = createTab();
    tab.show("hidden");
    const sight = watchSight(tab.page, () => true);
    const { end, text } = await run((number) => body(after(number), false), { sight });
    expect([end, text]).toEqual(["ended", words.join("")]);
  });

  it("F-W14: where other windows have all the lines, looks from time to time and holds none", async () => {
    vi.useFakeTimers();
    const [first, second] = [
      createLine(encode(frames.slice(0, 6))),
      createLine(": still here\n\n"),
    ];
    const running = run(
      (number, nth) => (nth === 1 ? second.response : body(after(number), false)),
      { first: first.response, lines: { take: async () => undefined } },
    );
    for (const look of [first, second]) {
      await look.isRead;
      await vi.advanceTimersByTimeAsync(300);
      await look.isLetGo;
    }
    const { end, text, lines, asked } = await running;
    expect([end, text]).toEqual(["ended", words.join("")]);
    expect(asked).toEqual([frames.at(5)?.id, frames.at(5)?.id]);
    expect(lines).toEqual(["live", "live", "live"]);
  });

  it("F-W14: a line that was taken is given back when the turn is over", async () => {
    let taken = 0;
    const take = async (): Promise<() => void> => {
      taken++;
      return () => void taken--;
    };
    await run((number, nth) => body(nth < 3 ? "" : after(number), nth < 3), { lines: { take } });
    expect(taken).toBe(0);
  });

  it("a sign of life between events is not an event", async () => {
    const { end, text } = await run(() => body(`: still here\n\n${after(0)}`, false));
    expect([end, text]).toEqual(["ended", words.join("")]);
  });
});
