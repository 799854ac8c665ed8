import { describe, expect, test } from "vitest";
import { handoffMatrix, thinkingModels } from "../../packages/cli/src/handoff/handoff-matrix.ts";

describe("P-G1 P-G6 every model hands over to every other", () => {
  test("between turns, mid-loop, with parallel calls, and back again", { timeout: 170_000 }, () => {
    const report = handoffMatrix();
    const { passed, total, models, leftOut } = report;
    console.info(`handoff matrix: ${passed} of ${total} (${models.length} models, 5 kinds)`);
    for (const { model, reason } of leftOut) console.info(`left out: ${model}: ${reason}`);
    expect(report.failures.slice(0, 5)).toEqual([]);
    expect(total).toBe(models.length * (models.length - 1) * 5);
    expect(passed).toBe(total);
  });

  test("only models without tools on Chat Completions are left out, and it says why", () => {
    const { leftOut, models } = handoffMatrix({ kinds: [] });
    expect(models.length + leftOut.length).toBe(thinkingModels().length);
    for (const { model, reason } of leftOut) {
      expect(model).toMatch(/^openai-chat:/);
      expect(reason).toContain("use /v1/responses");
    }
  });

  test.each([
    ["claude-opus-5-5", 6],
    ["gpt-6-sol", 15],
    ["gemini-3.8-flash", 3],
    ["deepseek:deepseek-v4-pro", 1],
    ["openai-chat:gpt-5.1", 0],
  ])("P-G4 %s finds its own again, and at least so much of it: %i", (first, least) => {
    const kinds = ["back-again", "back-in-loop"] as const;
    const alone = handoffMatrix({ models: [first, "mistral:magistral-medium-latest"], kinds });
    const without = handoffMatrix({ models: ["openai-chat:o1", "openai-chat:o3-mini"], kinds });
    expect([alone.failures, without.restored]).toEqual([[], 0]);
    expect(alone.restored).toBeGreaterThanOrEqual(least);
  });

  test("it can be asked about some models, kinds and levels, and tells how far it is", () => {
    const seen: string[] = [];
    const report = handoffMatrix({
      models: ["claude-sonnet-4-5", "gpt-6-sol"],
      kinds: ["mid-loop"],
      level: "none",
      onModel: (from, passed, total) => seen.push(`${from} ${passed}/${total}`),
    });
    expect(report).toEqual({
      passed: 2,
      total: 2,
      restored: 0,
      models: ["claude-sonnet-4-5", "gpt-6-sol"],
      failures: [],
      leftOut: [],
    });
    expect(seen).toEqual(["claude-sonnet-4-5 1/1", "gpt-6-sol 1/1"]);
  });
});
