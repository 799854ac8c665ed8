import * as fc from "fast-check";
import type { UIChunk } from "@mull/ui-messages";
import { describe, expect, it } from "vitest";
import { followTurn, type FollowEnd, type LineState } from "./follow-turn.ts";

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

async function run(open: (after: number, nth: number) => Response): Promise<Run> {
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
  });
  const text = chunks
    .map((chunk) => (typeof chunk["delta"] === "string" ? chunk["delta"] : ""))
    .join("");
  return { end, text, lines, asked };
}

const after = (number: number): string => encode(frames.filter(({ id }) => id > number));

describe("following a turn", () => {
  it("W14 tells the whole text once, wherever and however often the line breaks", async () => {
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

  it("D1 is done with a turn of which a server that died has kept less than it told", async () => {
    const { end, asked } = await run((_, nth) =>
      nth === 1 ? body(encode(frames.slice(0, 6)), true) : body("data: [DONE]\n\n", false),
    );
    expect([end, asked.length]).toEqual(["ended", 2]);
  });

  it("is done with a turn the server does not know", async () => {
    expect((await run(() => new Response(null, { status: 204 }))).end).toBe("gone");
  });

  it("a sign of life between events is not an event", async () => {
    const { end, text } = await run(() => body(`: still here\n\n${after(0)}`, false));
    expect([end, text]).toEqual(["ended", words.join("")]);
  });
});
