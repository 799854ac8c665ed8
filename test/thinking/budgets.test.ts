import { describePlan, levels, planThinking, type Level, mapLevel } from "mull";
import { describe, expect, test } from "vitest";

import { checkBudget, positions, valuesOn } from "./thinking-checks.ts";

/** Words and numbers in one order, weakest first. */
const rank = (value: number | string | boolean): number =>
  typeof value === "number"
    ? value
    : ["none", "LOW", "low", "medium", "high", "HIGH"].indexOf(String(value));

describe("budgets", () => {
  test("R336 R18 R19 R20 R21 R22 R23 R24 test_thinking_budget_anthropic: four budgets", () => {
    checkBudget("claude-sonnet-4-5", [1024, 22_016, 43_008, 64_000]);
    checkBudget("claude-opus-4-5", [1024, 22_016, 43_008, 64_000]);
    checkBudget("claude-haiku-4-5", [1024, 11_349, 21_674, 32_000]);
    checkBudget("claude-3-7-sonnet", [1024, 11_349, 21_674, 32_000]);
    expect(valuesOn("claude-sonnet-4-5-20250929")).toEqual(valuesOn("claude-sonnet-4-5"));
  });

  test("R359 R25 test_anthropic_thinking_budget: all four sonnet numbers, within the range", () => {
    const values = valuesOn("claude-sonnet-4-5");
    expect(values).toEqual([1024, 22_016, 43_008, 64_000]);
    for (const value of values) {
      expect(value).toBeGreaterThanOrEqual(1024);
      expect(value).toBeLessThanOrEqual(64_000);
    }
  });

  test("R337 R56 R58 R59 R60 R61 R62 test_thinking_budget_openai: four efforts", () => {
    for (const model of ["gpt-5-nano", "gpt-5-mini", "gpt-5", "o3", "o4-mini"]) {
      checkBudget(model, ["none", "low", "medium", "high"]);
      expect(planThinking({ model, level: "med" }).setting.type).toBe("effort");
    }
  });

  test("R55 R57 test_thinking_budget_openai: o1 and o3-mini fall back to medium and warn", () => {
    for (const model of ["o1", "o3-mini"]) {
      checkBudget(model, ["medium", "low", "medium", "high"]);
      const plan = planThinking({ model, level: "none" });
      expect(plan.setting).toEqual({ type: "effort", effort: "medium" });
      expect(describePlan(plan).join("\n")).toContain("does not support disabling thinking");
    }
  });

  test("R338 R45 R46 R47 R48 R50 test_thinking_budget_google: levels of Gemini 3", () => {
    for (const model of ["gemini-3.0-flash", "gemini-3.0-pro", "gemini-3-pro"]) {
      checkBudget(model, ["LOW", "LOW", "HIGH", "HIGH"]);
      expect(planThinking({ model, level: "med" }).setting.type).toBe("level");
    }
  });

  test("R338 R36 R37 R39 R40 R44 R49 test_thinking_budget_google: budgets of Gemini 2.5", () => {
    checkBudget("gemini-2.5-pro", [128, 11_008, 21_888, 32_768]);
    checkBudget("gemini-2.5-flash", [0, 8192, 16_384, 24_576]);
    checkBudget("gemini-2.5-flash-lite", [512, 8533, 16_554, 24_576]);
    expect(planThinking({ model: "gemini-2.5-flash", level: "none" }).setting.type).toBe("off");
  });

  test("R38 D3 gemini-2.5-pro at med is 21,888; 21,760 is an erratum", () => {
    expect(mapLevel("gemini-2.5-pro", "med")).toEqual({ kind: "budget", tokens: 21_888 });
  });

  test("R350 R361 R29 test_thinking_max_budget: HIGH is the maximum", () => {
    expect(mapLevel("claude-sonnet-4-5", "high")).toEqual({ kind: "budget", tokens: 64_000 });
    expect(mapLevel("claude-haiku-4-5", "high")).toEqual({ kind: "budget", tokens: 32_000 });
    expect(mapLevel("gpt-5-mini", "high")).toEqual({ kind: "effort", effort: "high" });
    expect(mapLevel("gemini-3.0-flash", "high")).toEqual({ kind: "level", level: "HIGH" });
    expect(mapLevel("gemini-2.5-flash-lite", "high")).toEqual({ kind: "budget", tokens: 24_576 });
  });

  test("R361 D6 where the cap of the model leaves no room, the receipt shows both numbers", () => {
    const plan = planThinking({ model: "claude-sonnet-4-5", level: "high" });
    expect(plan.mapped).toEqual({ kind: "budget", tokens: 64_000 });
    expect(plan).toMatchObject({ maxOutputTokens: 64_000, answerRoom: 8192, thinkingRoom: 55_808 });
    expect(plan.setting).toEqual({ type: "budget", tokens: 55_808 });
    expect(plan.notes.map(({ message }) => message).join(" ")).toMatch(/64,000.*55,808/);
  });

  test("R1 R3 R12 raising the level never lowers the value", () => {
    for (const model of ["claude-sonnet-4-5", "gemini-2.5-pro", "gemini-3.0-flash", "gpt-5"]) {
      const ranks = valuesOn(model).map(rank);
      expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    }
    expect(mapLevel("claude-sonnet-4-5", "min")).toEqual(mapLevel("claude-sonnet-4-5", "none"));
    expect(levels.filter((level) => (positions as readonly Level[]).includes(level))).toEqual(
      positions,
    );
  });
});
