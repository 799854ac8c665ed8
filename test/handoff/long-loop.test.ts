import { calls, says, script, thinks } from "@mull/emulator";
import { History, type Fetch, type Message } from "mull";
import { afterEach, describe, expect, test, vi } from "vitest";
import { agentAt, emulator, refs, refusalsOf } from "./emulated.ts";

/** Turns that are over, of text that is longer than all that comes after them. */
const past: readonly Message[] = Array.from({ length: 60 }, (_, at): readonly Message[] => [
  { role: "user", parts: [{ type: "text", text: `Question ${at}? ${"Please. ".repeat(40)}` }] },
  {
    role: "assistant",
    parts: [
      {
        type: "tool-call",
        id: `call_${at}`,
        name: "get_weather",
        input: { city: `Rome ${"upon Tiber ".repeat(40)}` },
      },
    ],
  },
  {
    role: "tool",
    parts: [{ type: "tool-result", callId: `call_${at}`, name: "get_weather", output: "Warm." }],
  },
  { role: "assistant", parts: [{ type: "text", text: `Answer ${at}. ${"So. ".repeat(80)}` }] },
]).flat();

/** Counts the characters that are written as JSON for each request. */
function watchWriting(fetch: Fetch): { readonly fetch: Fetch; readonly written: number[] } {
  const spy = vi.spyOn(JSON, "stringify");
  const written: number[] = [];
  return {
    written,
    fetch: async (input, init) => {
      const texts = spy.mock.results.map(({ value }) => (value as string | undefined)?.length ?? 0);
      written.push(texts.reduce((sum, length) => sum + length, 0));
      const response = await fetch(input, init);
      spy.mockClear();
      return response;
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("A8 an agent in a long conversation", () => {
  test.each(refs)("%s: writes what is new for each step of a tool loop", async (ref) => {
    const step = [thinks("Hm."), calls("get_weather", { city: "Rome" })];
    const served = emulator({ scripts: [script({}, step, step, step, step, [says("Warm.")])] });
    const { fetch, written } = watchWriting(served);
    const agent = agentAt(ref, fetch, { history: History.from(past) });
    const { text } = await agent.send("And now?");
    expect([text, refusalsOf(served)]).toEqual(["Warm.", []]);
    const [whole = 0, , ...later] = written;
    expect(later).toHaveLength(3);
    expect(Math.max(...later)).toBeLessThan(whole / 10);
  });
});
