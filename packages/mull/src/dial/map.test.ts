import { describe, expect, test } from "vitest";

import { findModel } from "../catalogue/find-model.ts";
import type { Level } from "../types/level.ts";
import { efforts } from "../types/model.ts";
import { mapLevel } from "./plan.ts";

const four: readonly Level[] = ["none", "low", "med", "high"];

const budgets = (id: string): readonly (number | undefined)[] =>
  four.map((level) => {
    const value = mapLevel(id, level);
    return value.kind === "budget" ? value.tokens : undefined;
  });

const words = (id: string): readonly string[] =>
  four.map((level) => {
    const value = mapLevel(id, level);
    if (value.kind === "effort") return value.effort;
    return value.kind === "level" ? value.level : value.kind;
  });

const rangeOf = (id: string): readonly number[] => {
  const { thinking } = findModel(id);
  return thinking.kind === "budget" ? [thinking.min, thinking.max] : [];
};

describe("the formula", () => {
  test("R4 R5 R6 R11 thirds of the range, multiplied first, truncated", () => {
    expect(budgets("claude-haiku-4-5")).toEqual([
      1024,
      1024 + Math.trunc(30_976 / 3),
      1024 + Math.trunc((2 * 30_976) / 3),
      32_000,
    ]);
  });

  test("D1 R3 min is the floor too, and max is high", () => {
    expect(mapLevel("claude-sonnet-4-5", "min")).toEqual({ kind: "budget", tokens: 1024 });
    expect(mapLevel("claude-sonnet-4-5", "max")).toEqual({ kind: "budget", tokens: 64_000 });
  });

  test("D1 auto means nothing on any model", () => {
    expect(mapLevel("claude-sonnet-4-5", "auto")).toEqual({ kind: "none" });
  });

  test("R10 a model that does not think maps every level to nothing", () => {
    expect(words("gpt-4o")).toEqual(["none", "none", "none", "none"]);
  });
});

describe("Anthropic", () => {
  test.each([
    ["R14", "claude-sonnet-4-5", 64_000],
    ["R15", "claude-opus-4-5", 64_000],
    ["R16", "claude-haiku-4-5", 32_000],
    ["R17", "claude-3-7-sonnet", 32_000],
  ])("%s %s ranges from 1,024 to %i", (_id, model, max) => {
    expect(rangeOf(model)).toEqual([1024, max]);
  });

  test.each([
    ["R18", "none", 1024],
    ["R18", "min", 1024],
    ["R19", "low", 22_016],
    ["R20", "med", 43_008],
    ["R21", "high", 64_000],
  ] as const)("%s claude-sonnet-4-5 at %s is %i", (_id, level, tokens) => {
    expect(mapLevel("claude-sonnet-4-5", level)).toEqual({ kind: "budget", tokens });
  });

  test.each([
    ["R22", "claude-opus-4-5", [1024, 22_016, 43_008, 64_000]],
    ["R23", "claude-haiku-4-5", [1024, 11_349, 21_674, 32_000]],
    ["R24", "claude-3-7-sonnet", [1024, 11_349, 21_674, 32_000]],
    ["R27", "claude-sonnet-4-5-20250929", [1024, 22_016, 43_008, 64_000]],
  ])("%s %s yields its four numbers", (_id, model, numbers) => {
    expect(budgets(model)).toEqual(numbers);
  });

  test("R25 R26 all four stay within the range", () => {
    for (const tokens of budgets("claude-sonnet-4-5")) {
      expect(tokens).toBeGreaterThanOrEqual(1024);
      expect(tokens).toBeLessThanOrEqual(64_000);
    }
  });

  test("R29 high is the ceiling", () => {
    expect(budgets("claude-opus-4-5")[3]).toBe(64_000);
    expect(budgets("claude-haiku-4-5")[3]).toBe(32_000);
  });

  test("P-B11 newer Claudes are steered by effort, and off has no word", () => {
    expect(words("claude-opus-4-8")).toEqual(["none", "low", "medium", "high"]);
    expect(words("claude-opus-5-5")).toEqual(["low", "low", "medium", "high"]);
    expect(mapLevel("claude-opus-5-5", "max")).toEqual({ kind: "effort", effort: "max" });
    expect(mapLevel("claude-opus-5-5", "min")).toEqual({ kind: "effort", effort: "low" });
  });
});

describe("Google", () => {
  test.each([
    ["R31", "gemini-2.5-pro", [128, 32_768]],
    ["R32", "gemini-2.5-flash", [0, 24_576]],
    ["R33", "gemini-2.5-flash-lite", [512, 24_576]],
  ])("%s %s ranges over %j", (_id, model, range) => {
    expect(rangeOf(model)).toEqual(range);
  });

  test.each(["gemini-3-pro", "gemini-3.0-flash", "gemini-3.0-pro"])(
    "R34 R35 %s has levels and no range",
    (model) => {
      expect(findModel(model).thinking).toMatchObject({ kind: "level" });
    },
  );

  test.each([
    ["R36", "gemini-2.5-pro", "none", 128],
    ["R37", "gemini-2.5-pro", "low", 11_008],
    ["R38 erratum 21,760", "gemini-2.5-pro", "med", 21_888],
    ["R39", "gemini-2.5-pro", "high", 32_768],
    ["R40", "gemini-2.5-flash", "none", 0],
    ["R41", "gemini-2.5-flash", "low", 8192],
    ["R42", "gemini-2.5-flash", "med", 16_384],
    ["R43", "gemini-2.5-flash", "high", 24_576],
  ] as const)("%s %s at %s is %i", (_id, model, level, tokens) => {
    expect(mapLevel(model, level)).toEqual({ kind: "budget", tokens });
  });

  test("R44 R49 gemini-2.5-flash-lite has a row of its own", () => {
    expect(budgets("gemini-2.5-flash-lite")).toEqual([512, 8533, 16_554, 24_576]);
  });

  test("D1 the smallest thinking that is on is more than off", () => {
    expect(mapLevel("gemini-2.5-flash", "min")).toEqual({ kind: "budget", tokens: 128 });
  });

  test.each(["gemini-3-pro", "gemini-3.0-pro", "gemini-3.0-flash"])(
    "R45 R46 R47 R48 R50 %s goes LOW LOW HIGH HIGH, in upper case",
    (model) => {
      expect(words(model)).toEqual(["LOW", "LOW", "HIGH", "HIGH"]);
      expect(mapLevel(model, "min")).toEqual({ kind: "level", level: "LOW" });
      expect(mapLevel(model, "max")).toEqual({ kind: "level", level: "HIGH" });
    },
  );

  test("P-B13 current Geminis have MEDIUM, some have MINIMAL", () => {
    expect(words("gemini-3.8-flash")).toEqual(["LOW", "LOW", "MEDIUM", "HIGH"]);
    expect(words("gemini-3.6-flash")).toEqual(["MINIMAL", "LOW", "MEDIUM", "HIGH"]);
    expect(words("gemma-4-31b-it")).toEqual(["MINIMAL", "MINIMAL", "HIGH", "HIGH"]);
  });
});

describe("OpenAI", () => {
  test.each(["o3", "o4-mini", "gpt-5", "gpt-5-mini", "gpt-5-nano"])(
    "R53 R54 R56 R58 R59 R60 R61 R62 %s maps to effort words, none included",
    (model) => {
      expect(words(model)).toEqual(["none", "low", "medium", "high"]);
    },
  );

  test.each(["o1", "o3-mini"])("R55 R57 %s has three words, and none is medium", (model) => {
    expect(findModel(model).thinking).toMatchObject({ efforts: ["low", "medium", "high"] });
    expect(words(model)).toEqual(["medium", "low", "medium", "high"]);
  });

  test("R396 minimal and xhigh are words of the vocabulary", () => {
    expect(efforts).toEqual(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
    expect(mapLevel("gpt-5", "min")).toEqual({ kind: "effort", effort: "minimal" });
    expect(mapLevel("gpt-5.5", "max")).toEqual({ kind: "effort", effort: "xhigh" });
  });

  test("P-B1 P-B2 a word the model lacks becomes the nearest lower one, upwards only from the floor", () => {
    expect(words("gpt-5-pro")).toEqual(["high", "high", "high", "high"]);
    expect(words("gpt-5.4-pro")).toEqual(["medium", "medium", "medium", "high"]);
    expect(words("deepseek-v4-flash")).toEqual(["none", "low", "low", "high"]);
  });
});

describe("models with a switch", () => {
  test("D1 on is on at every level, and off only where the model can be off", () => {
    expect(mapLevel("glm-4.7", "none")).toEqual({ kind: "switch", on: false });
    expect(mapLevel("glm-4.7", "low")).toEqual({ kind: "switch", on: true });
    expect(mapLevel("kimi-k2.7", "none")).toEqual({ kind: "switch", on: true });
  });
});

test("a row without any step is sent what was asked", () => {
  const row = {
    ...findModel("grok-4.6"),
    thinking: { kind: "effort", efforts: [], off: "never" },
  } as const;
  expect(mapLevel(row, "low")).toEqual({ kind: "effort", effort: "low" });
});
