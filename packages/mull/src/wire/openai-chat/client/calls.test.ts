import { describe, expect, it } from "vitest";
import { isMullError, type MullError } from "../../../types/error.ts";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { openaiChat } from "../index.ts";

const origin = { wire: "openai-chat", provider: "acme", model: "m" } as const;
const done = "[DONE]";

const chunk = (delta: JsonObject): string => JSON.stringify({ choices: [{ index: 0, delta }] });
const call = (index: number, id: string | null, name: string | null, args: string): JsonObject => ({
  tool_calls: [{ index, id, function: { name, arguments: args } }],
});

function run(frames: readonly string[]): {
  readonly events: readonly StreamEvent[];
  readonly error: MullError | undefined;
} {
  const decoder = openaiChat.decodeStream({
    origin,
    now: () => 0,
    newId: () => "made-here",
    hotReader: createHotReader,
  });
  const events: StreamEvent[] = [];
  try {
    for (const frame of frames) decoder.push(frame, undefined, events);
    decoder.end(events);
  } catch (error) {
    if (isMullError(error)) return { events, error };
    throw error;
  }
  return { events, error: undefined };
}

const partsOf = (frames: readonly string[]): readonly AssistantPart[] | undefined => {
  const last = run(frames).events.at(-1);
  return last?.type === "finish" ? last.reply.message.parts : undefined;
};

const entry = (id: string | undefined, name: string | undefined, args: string): JsonObject => ({
  tool_calls: [
    {
      ...(id !== undefined && { id }),
      function: { ...(name !== undefined && { name }), arguments: args },
    },
  ],
});

describe("streamed calls", () => {
  it("F-S9 arguments of a call that never began are refused, also behind an empty piece", () => {
    const frames = [chunk(call(0, null, null, "")), chunk(call(0, null, null, "{}")), done];
    expect(run(frames).error?.code).toBe("unexpected_event");
  });

  it("F-S9 pieces of parallel calls are put together by index", () => {
    const parts = partsOf([
      chunk(call(1, "b", "g", "")),
      chunk(call(0, "a", "f", "")),
      chunk(call(1, null, null, '{"n":2}')),
      chunk(call(0, null, null, '{"n":1}')),
      done,
    ]);
    expect(parts).toMatchObject([
      { id: "b", input: { n: 2 } },
      { id: "a", input: { n: 1 } },
    ]);
  });

  it("F-S9 impossible sequences are errors that name the event", () => {
    const never = run([chunk({ content: "a" }), chunk(call(0, null, null, "{}"))]).error;
    expect(never?.message).toBe("chat.completion.chunk: a tool call continues that never began");
    expect([never?.category, never?.partial?.message.parts.length]).toEqual(["protocol", 1]);
    for (const index of [-1, 0.5, 1e9]) {
      expect(run([chunk(call(index, "c", "f", ""))]).error?.message).toMatch(
        /index .* is impossible/,
      );
    }
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      index: 0,
      id: `c${index}`,
      function: { name: "f" },
    }));
    expect(run([chunk({ tool_calls: many })]).error?.code).toBe("too_many_parts");
  });

  it("F-S9 a piece without arguments is not told", () => {
    const { events } = run([
      chunk(call(0, "c", "f", "{")),
      chunk(call(0, "c", null, "")),
      chunk(call(0, null, null, "}")),
    ]);
    const told = events.filter(({ type }) => type === "tool-input");
    expect(told).toEqual([
      { type: "tool-input", index: 0, delta: "{" },
      { type: "tool-input", index: 0, delta: "}" },
    ]);
  });

  it("D10 calls without index or id are still told apart", () => {
    expect(
      partsOf([
        chunk(entry("a", "f", '{"n":')),
        chunk(entry(undefined, undefined, "1}")),
        chunk(entry("b", "g", "{}")),
        done,
      ]),
    ).toMatchObject([
      { id: "a", input: { n: 1 } },
      { id: "b", name: "g" },
    ]);
    expect(
      partsOf([chunk(call(0, "a", "f", "{}")), chunk(call(0, "b", "g", "{}")), done]),
    ).toHaveLength(2);
    expect(
      partsOf([chunk(call(0, "", "f", '{"n":1}')), chunk(call(0, "", "f", '{"n":2}')), done]),
    ).toMatchObject([
      { input: { n: 1 }, localId: true },
      { input: { n: 2 }, localId: true },
    ]);
    expect(
      partsOf([chunk(call(0, "", "f", "{")), chunk(call(0, "late", "f", "}")), done]),
    ).toMatchObject([{ id: "made-here" }]);
  });

  it("F-S20 a call that was cut is kept, marked and never sent", () => {
    const { error } = run([chunk(call(0, "", "f", '{"n"'))]);
    expect(error?.partial?.message.parts).toMatchObject([
      { id: "made-here", localId: true, cut: true, send: false },
    ]);
  });

  it("a name that comes late is waited for", () => {
    const { events } = run([
      chunk(call(0, "a", "", '{"n":')),
      chunk(call(0, "a", "f", "1}")),
      chunk(call(1, "b", "", "{}")),
      done,
    ]);
    expect(events.filter(({ type }) => type.startsWith("tool"))).toEqual([
      { type: "tool-call", index: 0, id: "a", name: "f" },
      { type: "tool-input", index: 0, delta: '{"n":1}' },
      { type: "tool-call", index: 1, id: "b", name: "" },
      { type: "tool-input", index: 1, delta: "{}" },
    ]);
  });

  it("free-text calls stream their input", () => {
    const first = {
      tool_calls: [{ index: 0, id: "c", type: "custom", custom: { name: "sh", input: "" } }],
    };
    const next = { tool_calls: [{ index: 0, custom: { input: "ls" } }] };
    expect(partsOf([chunk(first), chunk(next), done])).toEqual([
      { type: "tool-call", id: "c", name: "sh", input: "ls" },
    ]);
  });
});
