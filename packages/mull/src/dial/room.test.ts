import { describe, expect, test } from "vitest";

import { findModel } from "../catalogue/find-model.ts";
import type { Level } from "../types/level.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import type { PlanAsk } from "./plan.ts";
import { planThinking } from "./plan.ts";
import { thinkingRoomOf } from "./room.ts";
import { wrong } from "../../../../test/stubs.ts";

const plan = (model: string, level: Level, ask: Partial<PlanAsk> = {}): ThinkingPlan =>
  planThinking({ model, level, ...ask });
const codes = ({ notes }: ThinkingPlan): readonly string[] => notes.map((note) => note.code);
const asking =
  (model: string, ask: Partial<PlanAsk>): (() => ThinkingPlan) =>
  () =>
    planThinking({ model, ...ask });
const roomAtAuto = (model: string): number | undefined =>
  plan(model, "auto", { maxOutputTokens: 100 }).thinkingRoom;

test.each(["gpt-6-sol", "gemini-2.5-pro", "claude-haiku-4-5"])(
  "R94 the room that a level needs on %s is what a cap adds for it",
  (id) => {
    const { setting, thinkingRoom } = plan(id, "med", { maxOutputTokens: 100 });
    expect(thinkingRoomOf(findModel(id), setting)).toBe(thinkingRoom);
  },
);

describe("a level's budget and the cap", () => {
  test("R94 R139 D6 Anthropic always gets a cap: budget plus 8,192 for the answer", () => {
    expect(plan("claude-haiku-4-5", "low")).toMatchObject({
      setting: { type: "budget", tokens: 11_349 },
      maxOutputTokens: 11_349 + 8192,
      answerRoom: 8192,
      thinkingRoom: 11_349,
    });
    expect(plan("claude-3-opus", "auto")).toMatchObject({ maxOutputTokens: 4096 });
    expect(codes(plan("claude-3-opus", "auto"))).toEqual(["retired"]);
  });

  test("D6 P-B7 the budget gives way to the answer, and both numbers are noted", () => {
    const result = plan("claude-sonnet-4-5", "high");
    expect(result).toMatchObject({
      mapped: { kind: "budget", tokens: 64_000 },
      setting: { type: "budget", tokens: 55_808 },
      maxOutputTokens: 64_000,
      applied: "high",
    });
    const note = result.notes.find((each) => each.code === "budget-shrunk");
    expect(note?.message).toContain("64,000");
    expect(note?.message).toContain("55,808");
  });

  test("P-B8 below the floor thinking is off, and the answer keeps its room", () => {
    const result = plan("claude-haiku-4-5", "high", { maxOutputTokens: 63_500 });
    expect(result).toMatchObject({
      setting: { type: "off", form: "omit" },
      applied: "none",
      maxOutputTokens: 63_500,
    });
    expect(codes(result)).toContain("no-thinking-room");
  });

  test("P-B5 a budget model that is never off keeps its floor", () => {
    const result = plan("gemini-2.5-pro", "high", { maxOutputTokens: 65_500 });
    expect(result).toMatchObject({
      setting: { type: "budget", tokens: 128 },
      maxOutputTokens: 65_536,
      answerRoom: 65_408,
    });
    expect(codes(result)).toContain("answer-room-shrunk");
  });

  test("an answer above what the model can write is cut to it", () => {
    const result = plan("claude-haiku-4-5", "none", { maxOutputTokens: 100_000 });
    expect(result).toMatchObject({ maxOutputTokens: 64_000, answerRoom: 64_000 });
    expect(codes(result)).toContain("answer-room-shrunk");
  });

  test("Google gets no cap unless one is asked for", () => {
    expect(plan("gemini-2.5-pro", "high").maxOutputTokens).toBeUndefined();
    expect(plan("gemini-2.5-pro", "high").thinkingRoom).toBe(32_768);
    expect(plan("gemini-2.5-pro", "low", { maxOutputTokens: 1000 }).maxOutputTokens).toBe(12_008);
  });
});

describe("steps and the cap", () => {
  test.each([
    ["low", 8192],
    ["med", 16_384],
    ["high", 32_768],
    ["max", 65_536],
  ] as const)("P-B9 at %s thinking gets %i on top of the answer", (level, room) => {
    for (const model of ["claude-opus-5-5", "gpt-6-sol"]) {
      expect(plan(model, level, { maxOutputTokens: 500 })).toMatchObject({
        answerRoom: 500,
        thinkingRoom: room,
        maxOutputTokens: 500 + room,
      });
    }
  });

  test("P-B9 Gemini's levels and switches keep room too", () => {
    expect(plan("gemini-3.8-flash", "low", { maxOutputTokens: 300 }).maxOutputTokens).toBe(8492);
    expect(plan("glm-4.7", "low", { maxOutputTokens: 300 }).maxOutputTokens).toBe(16_684);
  });

  test("P-B9 the room of auto follows what the model does by itself", () => {
    expect(roomAtAuto("claude-opus-5-5")).toBe(16_384);
    expect(roomAtAuto("claude-opus-4-8")).toBe(0);
    expect(roomAtAuto("gpt-5.2")).toBe(0);
    expect(roomAtAuto("gpt-4o")).toBe(0);
    expect(roomAtAuto("gemini-2.5-flash")).toBe(24_576);
    expect(roomAtAuto("gpt-5.2-pro")).toBe(16_384);
    expect(roomAtAuto("glm-4.7")).toBe(16_384);
  });

  test("what does not fit beside the answer is noted", () => {
    const result = plan("gemini-3.8-flash", "high", { maxOutputTokens: 60_000 });
    expect(result).toMatchObject({ maxOutputTokens: 65_536, thinkingRoom: 5536 });
    expect(codes(result)).toContain("thinking-room-shrunk");
  });

  test("the Responses API takes no cap below 16", () => {
    const result = plan("gpt-6-sol", "none", { maxOutputTokens: 1 });
    expect(result.maxOutputTokens).toBe(16);
    expect(codes(result)).toContain("cap-raised");
  });
});

describe("explicit budgets", () => {
  test("R211 R231 R389 D6 are kept, with the answer's room on top", () => {
    expect(
      planThinking({
        model: "claude-sonnet-4-5",
        thinking: { type: "enabled", budgetTokens: 8000 },
        maxOutputTokens: 16_000,
      }),
    ).toMatchObject({ setting: { tokens: 8000 }, askedBudget: 8000, maxOutputTokens: 24_000 });
    expect(plan("claude-sonnet-4-5", "med", { thinkingBudget: 50_000 })).toMatchObject({
      setting: { type: "budget", tokens: 50_000 },
      maxOutputTokens: 58_192,
    });
  });

  test("R211 the disabled form is none", () => {
    expect(planThinking({ model: "claude-opus-5", thinking: { type: "disabled" } })).toMatchObject({
      asked: "none",
      setting: { type: "off", form: "disabled" },
    });
  });

  test("R26 R170 below 1,024 is refused on Claude", () => {
    expect(asking("claude-sonnet-4-5", { thinkingBudget: 1023 })).toThrow("1,024 to 63,999");
    expect(asking("claude-sonnet-4-5", { thinkingBudget: 0 })).toThrow("1,024 to 63,999");
  });

  test("R171 D6 what does not fit is refused, never shrunk", () => {
    expect(asking("claude-sonnet-4-5", { thinkingBudget: 64_000 })).toThrow("thinkingBudget");
    expect(asking("claude-sonnet-4-5", { thinkingBudget: 63_900 })).toThrow("at most 62,976");
    expect(asking("claude-sonnet-4-5", { thinkingBudget: 60_000, maxOutputTokens: 8000 })).toThrow(
      "at most 56,000",
    );
    expect(asking("gemini-2.5-pro", { thinkingBudget: 64_000 })).toThrow("128 to 32,768");
    expect(
      asking("claude-sonnet-4-5", {
        thinking: { type: "enabled", budgetTokens: 8000 },
        maxOutputTokens: 8000,
      }),
    ).toThrow("less than maxOutputTokens, 8,000");
  });

  test("the default answer gives way to a budget that was named", () => {
    expect(plan("claude-sonnet-4-5", "auto", { thinkingBudget: 60_000 })).toMatchObject({
      answerRoom: 4000,
      maxOutputTokens: 64_000,
    });
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, wrong("8000")])(
    "P-B6 %s is no budget and no cap",
    (value) => {
      expect(asking("gemini-2.5-flash", { thinkingBudget: value })).toThrow("thinkingBudget");
      expect(asking("gemini-2.5-flash", { maxOutputTokens: value })).toThrow("maxOutputTokens");
      expect(asking("gemini-2.5-flash", { contextTokens: value })).toThrow("contextTokens");
    },
  );

  test("D7 on a model that does not think they are refused", () => {
    expect(asking("gpt-4o", { thinkingBudget: 2000 })).toThrow("gpt-4o does not think");
  });

  test("zero is off where the service takes zero, and on models without budgets", () => {
    expect(plan("gemini-2.5-flash", "high", { thinkingBudget: 0 }).setting.type).toBe("off");
    expect(plan("gpt-6-sol", "high", { thinkingBudget: 0 }).setting.type).toBe("off");
    expect(asking("gemini-2.5-pro", { thinkingBudget: 0 })).toThrow("128 to 32,768");
  });

  test.each([
    [1000, "low", "LOW"],
    [4000, "low", "LOW"],
    [10_000, "medium", "MEDIUM"],
    [20_000, "high", "HIGH"],
    [40_000, "xhigh", "HIGH"],
    [100_000, "max", "HIGH"],
  ])("P-B11 %i becomes a step where a model has steps only", (budget, effort, level) => {
    const claude = plan("claude-opus-5-5", "auto", { thinkingBudget: budget });
    expect(claude.setting).toEqual({ type: "effort", effort });
    expect(codes(claude)).toEqual(["budget-to-effort"]);
    expect(plan("gemini-3.8-flash", "auto", { thinkingBudget: budget }).setting).toEqual({
      type: "level",
      level,
    });
  });

  test.each([
    ["openrouter", "anthropic/claude-haiku-4.5"],
    ["vllm", "Qwen/Qwen3-8B"],
    ["qwen", "qwen3-max"],
  ])("%s passes the number on for %s", (provider, id) => {
    const model = findModel(id, { provider });
    const result = planThinking({ model, thinkingBudget: 2000 });
    expect(result).toMatchObject({ setting: { type: "budget", tokens: 2000 }, applied: "min" });
    expect(codes(result)).toEqual([]);
  });

  test("a switch is on, and 4.6 still takes the number", () => {
    expect(plan("glm-4.7", "auto", { thinkingBudget: 5000 })).toMatchObject({
      setting: { type: "on" },
      applied: "min",
    });
    const claude = plan("claude-opus-4-6", "auto", { thinkingBudget: 10_000 });
    expect(claude).toMatchObject({ setting: { type: "budget", tokens: 10_000 }, applied: "med" });
    expect(codes(claude)).toEqual(["budget-deprecated"]);
  });
});

describe("long conversations", () => {
  test("R390 above 150,000 tokens a budget is capped at 10,000", () => {
    const long = plan("claude-sonnet-4-5", "high", { contextTokens: 150_001 });
    expect(long).toMatchObject({ setting: { tokens: 10_000 }, maxOutputTokens: 18_192 });
    expect(codes(long)).toContain("long-context-cap");
    const short = plan("claude-sonnet-4-5", "med", { contextTokens: 150_000 });
    expect(short.setting).toEqual({ type: "budget", tokens: 43_008 });
  });

  test("R390 small budgets and steps stay as they are", () => {
    const ask = { contextTokens: 500_000 };
    expect(plan("claude-sonnet-4-5", "min", ask).setting).toEqual({ type: "budget", tokens: 1024 });
    expect(plan("gpt-6-sol", "high", ask).setting).toEqual({ type: "effort", effort: "high" });
    expect(plan("gemini-2.5-pro", "high", { ...ask, thinkingBudget: 20_000 }).setting).toEqual({
      type: "budget",
      tokens: 10_000,
    });
  });
});

test("a row without an output cap is not capped", () => {
  const { outputCap: _outputCap, ...row } = findModel("claude-sonnet-4-5");
  expect(planThinking({ model: row, level: "high" }).maxOutputTokens).toBe(72_192);
  expect(() => planThinking({ model: row, thinkingBudget: 70_000 })).toThrow("1,024 to 64,000");
});

describe("rows of one's own", () => {
  test("a budget in the map of an effort model gives way to the answer too", () => {
    const map = { high: { kind: "budget", tokens: 200_000 } } as const;
    const result = planThinking({ model: { ...findModel("claude-opus-4-6"), map }, level: "high" });
    expect(result.setting).toEqual({ type: "budget", tokens: 128_000 - 8192 });
    expect(codes(result)).toContain("budget-shrunk");
  });

  test("a level mapped to nothing is skipped when a budget is named", () => {
    const map = { low: { kind: "none" } } as const;
    const row = { ...findModel("gemini-2.5-flash"), map };
    expect(planThinking({ model: row, thinkingBudget: 9000 }).applied).toBe("med");
  });
});
