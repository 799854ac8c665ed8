import { describe, expect, test } from "vitest";

import type { Model } from "../types/model.ts";
import { addCost, costOf } from "./cost.ts";
import { findModel } from "./find-model.ts";

const priced = (price: NonNullable<Model["price"]>): Model => ({
  ...findModel("gpt-6-sol"),
  price,
});

describe("cost", () => {
  test("P-H2 P-H3 thinking is billed as output, once", () => {
    const cost = costOf(
      { input: 1_000_000, output: 100_000, thinking: 400_000 },
      findModel("claude-opus-5"),
    );
    expect(cost).toMatchObject({ input: 5, output: 2.5, thinking: 10, total: 17.5 });
    expect(cost).not.toHaveProperty("estimated");
  });

  test("cached input has its own prices", () => {
    const usage = { input: 0, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 0 };
    const cost = costOf(usage, findModel("claude-opus-5"));
    expect(cost).toMatchObject({ cacheRead: 0.5, cacheWrite: 6.25, total: 6.75 });
  });

  test("R443 a summary of the service costs what other tokens do", () => {
    const usage = { input: 0, output: 0, summaryInput: 1_000_000, summaryOutput: 100_000 };
    const cost = costOf(usage, findModel("claude-opus-5"));
    expect(cost).toMatchObject({ input: 5, output: 2.5, total: 7.5 });
  });

  test("long requests are priced by their whole input", () => {
    const gemini = findModel("gemini-2.5-pro");
    expect(costOf({ input: 200_000, output: 0 }, gemini)?.input).toBe(0.25);
    const long = costOf({ input: 100_000, cacheRead: 100_001, output: 1_000_000 }, gemini);
    expect(long).toMatchObject({ input: 0.25, output: 15 });
    expect(long?.cacheRead).toBeCloseTo(0.025, 5);
    const haiku = findModel("claude-haiku-5-5");
    expect(costOf({ input: 0, cacheWrite: 1_000_000, output: 0 }, haiku)?.cacheWrite).toBe(0.625);
  });

  test("P-H1 what is not known is not zero", () => {
    expect(costOf({ input: 1, output: 1 }, findModel("claude-mythos-5-2"))).toBeUndefined();
    expect(costOf({ output: 1 }, findModel("gpt-6-sol"))).toBeUndefined();
    expect(costOf({ input: 1 }, findModel("gpt-6-sol"))).toBeUndefined();
  });

  test("a guess is called an estimate", () => {
    const model = priced({ input: 2, output: 10 });
    expect(costOf({ input: 0, output: 0, cacheRead: 1_000_000 }, model)).toMatchObject({
      cacheRead: 2,
      estimated: true,
    });
    expect(costOf({ input: 0, output: 0, cacheWrite: 1_000_000 }, model)).toMatchObject({
      cacheWrite: 2,
      estimated: true,
    });
    const thought = { input: 0, output: 0, thinking: 10, thinkingSource: "estimated" } as const;
    expect(costOf(thought, model)?.estimated).toBe(true);
  });

  test("free models cost nothing, writes included", () => {
    const free = priced({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    expect(costOf({ input: 10, output: 10, cacheWrite: 10 }, free)?.total).toBe(0);
  });
});

test("costs add up, and one estimate makes the sum an estimate", () => {
  const one = { total: 3, input: 1, cacheRead: 0, cacheWrite: 0, output: 1, thinking: 1 };
  expect(addCost(one, one)).toEqual({ ...one, total: 6, input: 2, output: 2, thinking: 2 });
  expect(addCost(one, { ...one, estimated: true }).estimated).toBe(true);
  expect(addCost({ ...one, estimated: true }, one).estimated).toBe(true);
});
