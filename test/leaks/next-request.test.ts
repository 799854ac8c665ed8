import { chat, type Message } from "mull";
import { describe, expect, test } from "vitest";

import { createComposeNext } from "../../packages/mull/src/chat/compose-next.ts";
import { resolveModel } from "../../packages/mull/src/providers/index.ts";
import { collect, heapInUse } from "./measure.ts";

const gc = collect();
const claude = "claude-opus-5-5";
const frame = JSON.stringify({
  candidates: [{ content: { parts: [{ text: "Four." }] }, finishReason: "STOP" }],
});
const fetch = (): Promise<Response> =>
  Promise.resolve(
    new Response(`data: ${frame}\n\n`, { headers: { "content-type": "text/event-stream" } }),
  );
const ask = (messages: readonly Message[]): Promise<unknown> =>
  chat("gemini-3.8-flash", { messages }, { fetch, apiKey: "k" });

const say = (role: "user" | "assistant", text: string): Message => ({
  role,
  parts: [{ type: "text", text }],
});

/** A conversation whose every text is its own, of about so many characters. */
const talkOf = (name: number, characters: number): readonly Message[] =>
  Array.from({ length: 121 }, (_, at) =>
    say(at % 2 === 0 ? "user" : "assistant", `${name} ${at} ${"word ".repeat(characters / 605)}`),
  );

/** Has a conversation kept, and lets go of it. */
async function talk(name: number): Promise<readonly WeakRef<Message>[]> {
  const messages = talkOf(name, 100_000);
  for (let request = 0; request < 3; request += 1) await ask(messages.slice());
  return [0, 60, 120].map((at) => new WeakRef(messages[at]!));
}

describe("R379 what is kept of long conversations", () => {
  test("goes when the program lets go of the conversation", async () => {
    const messages = await talk(0);
    // The last answer itself stays for a while.
    await ask([say("user", "2 + 2?")]);
    await heapInUse(gc);
    expect(messages.map((message) => message.deref())).toEqual([undefined, undefined, undefined]);
  });

  test("500 conversations one after the other leave nothing behind", async () => {
    for (let name = 0; name < 50; name += 1) await talk(name);
    const before = await heapInUse(gc);
    for (let name = 0; name < 500; name += 1) await talk(name);
    expect((await heapInUse(gc)) - before).toBeLessThan(2 * 1024 * 1024);
  }, 60_000);

  test("stays within its bounds while the program has them all", async () => {
    const mostText = 1_000_000;
    const composeNext = createComposeNext({ leastMessages: 100, mostText, rests: 100 });
    const target = resolveModel(claude);
    const talks = Array.from({ length: 60 }, (_, name) => talkOf(name, 100_000));
    const askAll = (): number => {
      let reused = 0;
      for (const messages of talks)
        if (composeNext(target, { messages }, {}).written !== undefined) reused += 1;
      return reused;
    };
    for (const messages of talks) JSON.stringify(messages);
    const before = await heapInUse(gc);
    const reused = [askAll(), askAll(), askAll()];
    const kept = (await heapInUse(gc)) - before;
    // Those that fit, and one.
    expect(reused[0]).toBe(0);
    expect(reused[1]).toBeGreaterThan(4);
    expect(reused[2]).toBeLessThan(12);
    expect(kept).toBeLessThan(3 * mostText);
    expect(talks).toHaveLength(60);
  });

  test("A1 requests that are refused leave nothing half done behind", async () => {
    const composeNext = createComposeNext({ leastMessages: 100, mostText: 1e6, rests: 3 });
    const target = resolveModel(claude);
    const messages = talkOf(0, 20_000);
    const refused = { messages, temperature: 9 };
    for (let request = 0; request < 3; request += 1) composeNext(target, { messages }, {});
    const before = await heapInUse(gc);
    for (let request = 0; request < 300; request += 1) {
      expect(() => composeNext(target, refused, {})).toThrow("temperature");
      composeNext(target, { messages }, {});
    }
    expect((await heapInUse(gc)) - before).toBeLessThan(1024 * 1024);
  });
});
