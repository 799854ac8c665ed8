import { Agent, streamChat, type Message } from "mull";
import { expect, test } from "vitest";

import { collect } from "./measure.ts";

const gc = collect();

const frame = JSON.stringify({
  candidates: [{ content: { parts: [{ text: "Four." }] }, finishReason: "STOP" }],
});
const fetch = (): Promise<Response> =>
  Promise.resolve(
    new Response(`data: ${frame}\n\n`, { headers: { "content-type": "text/event-stream" } }),
  );
const gemini = "gemini-3.8-flash";

/** What is asked of a reference keeps its object until the next turn of the event loop. */
async function isGone(reference: WeakRef<object>): Promise<boolean> {
  for (let round = 0; round < 8; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  return reference.deref() === undefined;
}

/** Asks the same conversation three times, reads the answers and lets go of everything. */
async function talk(turns: number): Promise<readonly WeakRef<object>[]> {
  const messages = Array.from({ length: 2 * turns + 1 }, (_, at): Message => ({
    role: at % 2 === 0 ? "user" : "assistant",
    parts: [{ type: "text", text: `word ${at}` }],
  }));
  const kept: WeakRef<object>[] = [new WeakRef(messages[0]!), new WeakRef(messages.at(-1)!)];
  for (let request = 0; request < 3; request += 1) {
    const stream = streamChat(gemini, { messages: messages.slice() }, { fetch, apiKey: "k" });
    kept.push(new WeakRef(stream));
    await stream.result();
  }
  return kept;
}

async function turn(): Promise<readonly WeakRef<object>[]> {
  const agent = new Agent(gemini, { fetch, apiKey: "k" });
  const stream = agent.sendStream("2 + 2?");
  await stream.result();
  return [new WeakRef(agent), new WeakRef(stream)];
}

test.each([
  ["a short conversation", () => talk(0)],
  ["a long conversation", () => talk(100)],
  ["an agent's turn", turn],
])("F-A8 R379 nothing of %s stays once it is over", async (_, run) => {
  for (const reference of await run()) expect(await isGone(reference)).toBe(true);
});

/** Those that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("F-A8 no timer stays behind an answer", async () => {
  const before = timers();
  await talk(0);
  expect(timers()).toBe(before);
});
