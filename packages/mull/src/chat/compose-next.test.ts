import { describe, expect, test, vi } from "vitest";
import { resolveModel } from "../providers/index.ts";
import type { Fetch } from "../types/http.ts";
import type { Message, ToolCallPart } from "../types/message.ts";
import { chat } from "./ask.ts";
import { createComposeNext, type ComposedNext, type ComposeNext } from "./compose-next.ts";
import { compose } from "./compose.ts";
import { createChecked, limits, say, talkOf, turnsOf } from "./testing/talk.ts";

const claude = "claude-opus-5-5";
const models = [claude, "gpt-5.2", "openai-chat:gpt-5-mini", "gemini-3.8-flash"];

type Loose<T> = { -readonly [K in keyof T]: T[K] };

const isReused = ({ written }: ComposedNext): boolean => written !== undefined;

const isSame = (got: unknown, whole: unknown): void => expect(got).toEqual(whole);

describe("a conversation that goes on", () => {
  test.each(models)("%s: what was composed is kept when it is asked for again", (model) => {
    const target = resolveModel(model);
    const composeNext = createComposeNext(limits);
    const messages = talkOf(9);
    const reused = [9, 13, 17, 18, 19, 20, 21, 37].map((count) => {
      const request = { messages: messages.slice(0, count) };
      const { written, ...next } = composeNext(target, request, {});
      expect(next).toEqual(compose(target, request));
      return written?.count;
    });
    expect(reused[0]).toBeUndefined();
    expect(reused.slice(1).every((count) => count !== undefined && count >= 8)).toBe(true);
    expect(reused.at(-1)).toBeGreaterThan(30);
  });

  test("a short one is composed anew", () => {
    const composeNext = createComposeNext({ ...limits, leastMessages: 6 });
    const messages = talkOf(1);
    const target = resolveModel(claude);
    const reused = [1, 2, 3].map(() => isReused(composeNext(target, { messages }, {})));
    expect(reused).toEqual([false, false, false]);
  });

  test("what is changed in place is sent as it is now", () => {
    const composeNext = createComposeNext(limits);
    const target = resolveModel(claude);
    const messages = talkOf(6);
    for (let i = 0; i < 3; i++) composeNext(target, { messages }, {});
    const call = messages[5]?.parts[0] as Loose<ToolCallPart>;
    call.input = { at: "changed" };
    const next = composeNext(target, { messages }, {});
    expect(JSON.stringify(next.encoded.body)).toContain('{"at":"changed"}');
    expect(next).toEqual(compose(target, { messages }));
  });

  test("a value that is more than its fields is composed anew each time", () => {
    const composeNext = createComposeNext(limits);
    const target = resolveModel(claude);
    const day = new Date(0);
    const odd: ToolCallPart = { type: "tool-call", id: "c", name: "n", input: { day } as never };
    const messages = [say("user", "When?"), { role: "assistant", parts: [odd] }, ...talkOf(6)];
    for (let i = 0; i < 3; i++) composeNext(target, { messages } as never, {});
    day.setTime(1e12);
    const { encoded } = composeNext(target, { messages } as never, {});
    expect(JSON.stringify(encoded.body)).toContain("2001-09-09");
  });

  test("no more text is kept than may be, and what rested makes room", () => {
    const target = resolveModel(claude);
    const ask = (composeNext: ComposeNext, messages: readonly Message[], count = 1): boolean[] =>
      Array.from({ length: count }, () => isReused(composeNext(target, { messages }, {})));
    const composeNext = createComposeNext({ ...limits, mostText: 6000 });
    const [first, second, third] = [talkOf(6), talkOf(6), talkOf(6)];
    expect(ask(composeNext, first, 3)).toEqual([false, true, true]);
    expect(ask(composeNext, second, 2)).toEqual([false, true]);
    // Both together are more than there is room for: the third waits until the first has rested.
    expect(ask(composeNext, third, 4)).toEqual([false, false, false, true]);
    expect(ask(composeNext, second)).toEqual([true]);
    expect(ask(composeNext, first)).toEqual([false]);
  });

  test("a conversation of more text than may be kept is composed anew", () => {
    const composeNext = createComposeNext({ ...limits, mostText: 2000 });
    const target = resolveModel(claude);
    const messages = talkOf(6);
    const reused = [1, 2, 3].map(() => isReused(composeNext(target, { messages }, {})));
    expect(reused).toEqual([false, false, false]);
  });

  test("where it cannot be kept, as without weak references, that is tried once", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel(claude);
    const messages = talkOf(6);
    const ask = (): boolean => isReused(composeNext(target, { messages }, {}));
    vi.stubGlobal("WeakRef", undefined);
    const without = [ask(), ask()];
    vi.unstubAllGlobals();
    expect([...without, ask(), ask()]).toEqual([false, false, false, false]);
  });

  test("one long tool loop that cannot be taken apart is kept when it is over", () => {
    const composeNext = createChecked(isSame);
    const target = resolveModel("gemini-3.8-flash");
    const loop = [say("user", "Go."), ...turnsOf(4).filter(({ role }) => role !== "user")];
    const reused = [9, 12, 13].map((count) => {
      const news = count < 13 ? [] : [say("user", "And?")];
      const messages = [...loop.slice(0, count), ...news];
      return isReused(composeNext(target, { messages }, {}));
    });
    expect(reused).toEqual([false, false, true]);
  });

  test("through the public call: every body and receipt is that of the whole history", async () => {
    const bodies: string[] = [];
    const fetch: Fetch = async (_, init) => {
      bodies.push(await new Response(init?.body).text());
      const event = {
        candidates: [{ content: { parts: [{ text: "Yes." }] }, finishReason: "STOP" }],
      };
      return new Response(`data: ${JSON.stringify(event)}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    };
    const messages = [...talkOf(30)];
    const ref = "gemini-3.8-flash";
    for (let turn = 0; turn < 4; turn++) {
      const asked = { messages: messages.slice() };
      const { receipt, message } = await chat(ref, asked, { fetch, apiKey: "k" });
      const whole = compose(resolveModel(ref), asked);
      expect(bodies.at(-1)).toBe(JSON.stringify(whole.encoded.body));
      expect(receipt).toMatchObject({
        changes: whole.prepared.changes,
        withheld: whole.prepared.withheld,
        notes: whole.notes,
      });
      messages.push(message, say("user", "Sure?"));
    }
    expect(bodies).toHaveLength(4);
  });
});
