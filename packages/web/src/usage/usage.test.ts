import type { UIMessage } from "@mull/ui-messages";
import { describe, expect, it } from "vitest";
import { describeFigures } from "./describe-figures.ts";
import { readAnswers, shareOf } from "./read-answers.ts";
import { estimateNext, readContext } from "./read-context.ts";
import { sumSpending, type SpendingRow } from "./spending.ts";
import { writePercent } from "./write-percent.ts";

const question = (id: string, text: string): UIMessage => ({
  id,
  role: "user",
  parts: [{ type: "text", text }],
});

/** An answer with the receipt of its one step. */
const answer = (id: string, text: string, usage: object, metadata: object = {}): UIMessage => ({
  id,
  role: "assistant",
  metadata: { state: "done", model: "anthropic:claude-opus-5-5", level: "med", ...metadata },
  parts: [
    { type: "step-start" },
    { type: "reasoning", text: "Hm. ".repeat(100) },
    { type: "text", text },
    { type: "data-receipt", data: { receipt: { plan: { asked: "med", model: "m" } }, usage } },
  ],
});

const thread: readonly UIMessage[] = [
  question("q1", "Why?"),
  answer("a1", "So.", { thinking: 100 }, { startedAt: 1000, endedAt: 3000, cost: 0.01 }),
  question("q2", "And?"),
  answer("a2", "No.", {}, { cost: 0.04 }),
];

const sum = (fill: ReturnType<typeof readContext>): number =>
  (fill?.parts ?? []).reduce((all, { tokens }) => all + tokens, 0);

const row = (day: string, model: string, level: string, cost: number): SpendingRow => ({
  day,
  model,
  level,
  cost,
  turns: 1,
  tokens: 10,
  thinking: 5,
});

/** An answer of one step and one call, an hour after its question. */
const timed = (timing: object, durationMs?: number): UIMessage => ({
  ...answer("a", "So.", {}, { startedAt: 0, endedAt: 3_600_000 }),
  parts: [
    { type: "step-start" },
    {
      type: "tool-pay",
      toolCallId: "1",
      state: "output-available",
      input: {},
      output: "paid",
      resultProviderMetadata: { mull: { ...(durationMs !== undefined && { durationMs }) } },
    },
    { type: "data-receipt", data: { receipt: { plan: { asked: "med" } }, usage: {}, timing } },
  ],
});

describe("the figures of answers", () => {
  it("are read where they are known, and never made up", () => {
    expect(readAnswers(thread)).toEqual([
      { messageId: "a1", nth: 1, by: "m · med", thinking: 100, ms: 2000, cost: 0.01 },
      { messageId: "a2", nth: 2, by: "m · med", cost: 0.04 },
    ]);
    expect(readAnswers(thread).map(describeFigures)).toEqual([
      "m · med · 100 thinking tokens · 2.0 s · $0.0100",
      "m · med · $0.0400",
    ]);
  });

  it("leave out the hours that an answer waited for a person", () => {
    expect(readAnswers([timed({ totalMs: 2000 }, 500)])[0]?.ms).toBe(2500);
    expect(readAnswers([timed({ totalMs: 2000 })])[0]?.ms).toBe(3_600_000);
    expect(readAnswers([timed({}, 500)])[0]?.ms).toBe(3_600_000);
  });

  it("are compared with the largest", () => {
    const answers = readAnswers(thread);
    expect(answers.map(shareOf(answers, "cost"))).toEqual([0.25, 1]);
    expect(answers.map(shareOf(answers, "thinking"))).toEqual([1, 0]);
    expect([].map(shareOf([], "ms"))).toEqual([]);
  });

  it("leave out the answer that is coming", () => {
    const live = answer("a3", "", {}, { state: "running" });
    expect(readAnswers([...thread, live])).toHaveLength(2);
  });
});

describe("what fills the context", () => {
  const model = { window: 1000 };
  const around = { instructions: 50, system: "z".repeat(40) };
  it("adds up to what the service counted, with the rest told apart", () => {
    const counted = answer("a", "x".repeat(400), { input: 500, cacheRead: 100, output: 150 });
    const fill = readContext([question("q", "y".repeat(80)), counted], model, around);
    expect(fill).toMatchObject({ used: 750, window: 1000 });
    expect(fill?.parts.map(({ name, tokens }) => [name, tokens])).toEqual([
      ["Your questions", 20],
      ["Thinking", 100],
      ["Answers", 100],
      ["Instructions, tool descriptions and what estimates miss", 530],
    ]);
    expect(sum(fill)).toBe(750);
  });

  it("shrinks estimates that are more than was counted", () => {
    const counted = answer("a", "x".repeat(4000), { input: 100, output: 10 });
    const fill = readContext([counted], model, around);
    expect(fill?.used).toBe(110);
    expect(Math.abs(sum(fill) - 110)).toBeLessThan(3);
  });

  it("is an estimate before anything was counted, and nothing without a window", () => {
    const fill = readContext([question("q", "y".repeat(40))], model, around);
    expect(fill).toMatchObject({ used: 70 });
    expect(fill?.parts).toEqual([
      { name: "Your questions", tokens: 10 },
      { name: "Instructions, tool descriptions and what estimates miss", tokens: 60 },
    ]);
    expect(readContext([question("q", "y")], {}, around)).toBeUndefined();
  });

  it("holds the instructions and tools before anything was said", () => {
    expect(readContext([], model, around)).toMatchObject({ used: 60 });
    expect(readContext([], model, { instructions: 0 })).toMatchObject({ used: 0, parts: [] });
    expect(estimateNext([], around, "y".repeat(40), 1)).toBe(1070);
  });

  it("says a little without saying nothing", () => {
    expect([0, 0.004, 0.126, 1].map(writePercent)).toEqual(["0 %", "under 1 %", "13 %", "100 %"]);
  });
});

describe("what was spent", () => {
  const rows: readonly SpendingRow[] = [
    row("2026-11-18", "openai:gpt-6-sol", "high", 3),
    row("2026-11-19", "anthropic:claude-opus-5-5", "low", 1),
    row("2026-11-19", "anthropic:claude-opus-5-5", "high", 1),
    { day: "2026-11-19", turns: 2, tokens: 20, thinking: 0, cost: 9 },
  ];
  const told = (group: "day" | "model" | "level"): readonly unknown[] =>
    sumSpending(rows, group).map(({ name, turns, cost }) => [name, turns, cost]);

  it("by day from the latest, by model and level from the dearest", () => {
    expect(told("day")).toEqual([
      ["2026-11-19", 4, 11],
      ["2026-11-18", 1, 3],
    ]);
    expect(told("model")).toEqual([
      ["deleted conversations", 2, 9],
      ["gpt-6-sol", 1, 3],
      ["claude-opus-5-5", 2, 2],
    ]);
    expect(told("level")).toEqual([
      ["deleted conversations", 2, 9],
      ["high", 2, 4],
      ["low", 1, 1],
    ]);
  });
});
