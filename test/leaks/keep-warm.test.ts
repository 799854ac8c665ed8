import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { collect } from "./measure.ts";

const gc = collect();

const frame = JSON.stringify({
  candidates: [{ content: { parts: [{ text: "Four." }] }, finishReason: "STOP" }],
});
const fetch = (): Promise<Response> =>
  Promise.resolve(
    new Response(`data: ${frame}\n\n`, { headers: { "content-type": "text/event-stream" } }),
  );

/** Asks, reads all of the answer and lets go of it. */
async function answer(question: string): Promise<WeakRef<object>> {
  const { streamChat } = await import("mull");
  const messages = [{ role: "user", parts: [{ type: "text", text: question }] }] as const;
  const stream = streamChat("gemini-3.8-flash", { messages }, { fetch, apiKey: "k" });
  await stream.result();
  return new WeakRef(stream);
}

/** What is asked of a reference keeps its object until the next turn of the event loop. */
async function isGone(reference: WeakRef<object>): Promise<boolean> {
  for (let round = 0; round < 8; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  return reference.deref() === undefined;
}

beforeEach(() => {
  // A library that has not answered yet: its one timer is not set.
  vi.resetModules();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

test("A8 the last answer stays for half a minute, so that its compiled code does", async () => {
  const last = await answer("2 + 2?");
  expect(await isGone(last)).toBe(false);
  vi.advanceTimersByTime(29_000);
  expect(await isGone(last)).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(await isGone(last)).toBe(true);
});

test("A8 the next answer takes its place, and the half minute begins anew", async () => {
  const first = await answer("2 + 2?");
  vi.advanceTimersByTime(20_000);
  const second = await answer("3 + 3?");
  vi.advanceTimersByTime(20_000);
  expect([await isGone(first), await isGone(second)]).toEqual([true, false]);
  vi.advanceTimersByTime(10_000);
  expect(await isGone(second)).toBe(true);
});

test("A8 an answer to a long request is not kept", async () => {
  expect(await isGone(await answer("2 + 2? ".repeat(200_000)))).toBe(true);
});

/** Those that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("A8 no program waits for it", async () => {
  vi.useRealTimers();
  const before = timers();
  await answer("2 + 2?");
  expect(timers()).toBe(before);
});
