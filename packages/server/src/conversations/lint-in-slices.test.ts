import { setImmediate as nextRound } from "node:timers/promises";
import { findModel, lint, type JsonObject, type WireId } from "mull";
import { rulesOf } from "mull/rules";
import { describe, expect, test } from "vitest";
import { watchRounds } from "../testing/watch-rounds.ts";
import { lintInSlices } from "./lint-in-slices.ts";

const wrongBodies: readonly (readonly [WireId, string, JsonObject])[] = [
  ["anthropic-messages", "claude-opus-5-5", { messages: [{ role: "tool", content: [] }] }],
  ["openai-responses", "gpt-6-sol", { input: [{ role: "nobody", content: "hi" }] }],
  ["openai-chat", "deepseek-chat", { messages: [{ role: "nobody", content: "hi" }] }],
  ["google-generate", "gemini-3.8-flash", { contents: [] }],
];

describe("a request checked rule by rule", () => {
  test.each(wrongBodies)("%s: says what `lint` says", async (wire, model, body) => {
    const input = { wire, model: findModel(model), path: "", headers: {}, body };
    const report = lint(input);
    expect(report.ok).toBe(false);
    expect(await lintInSlices(input)).toEqual(report);
  });

  test.each(wrongBodies)(
    "F-W17 %s: asks for its share before each rule",
    async (wire, id, body) => {
      const input = { wire, model: findModel(id), path: "", headers: {}, body };
      const rounds = watchRounds();
      await lintInSlices(input, { take: () => nextRound() });
      expect(rounds.stop()).toBeGreaterThanOrEqual(rulesOf(wire).length);
    },
  );
});
