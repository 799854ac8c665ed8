import { handoffMatrix, thinkingModels } from "mull";
import { describe, expect, test } from "vitest";

describe("G1 G6 every model hands over to every other", () => {
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

  test("G4 seals are there to be restored: every model with sealed replay gets some back", () => {
    const { failures } = handoffMatrix({
      models: ["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash", "deepseek:deepseek-v4-pro"],
      kinds: ["back-again", "back-in-loop"],
    });
    expect(failures).toEqual([]);
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
      models: ["claude-sonnet-4-5", "gpt-6-sol"],
      failures: [],
      leftOut: [],
    });
    expect(seen).toEqual(["claude-sonnet-4-5 1/1", "gpt-6-sol 1/1"]);
  });
});
