import { isMullError, type Level } from "mull";
import { describe, expect, test } from "vitest";

import { checkRequestJson, requestFor, thinkingIn } from "./thinking-checks.ts";

const bodyFor = (...args: Parameters<typeof requestFor>) => requestFor(...args).encoded.body;

const shown = (model: string, showThinking: boolean) =>
  thinkingIn(bodyFor(model, "med", { showThinking }));

const styled = (showThinking: "detailed" | "brief") =>
  thinkingIn(bodyFor("gpt-6-sol", "med", { showThinking }))["reasoning"];

describe("serialization", () => {
  test("R339 R64 R65 R66 test_thinking_serialization_anthropic: the thinking object", () => {
    const body = bodyFor("claude-sonnet-4-5", "med");
    checkRequestJson(body, {
      thinking: { type: "enabled", budget_tokens: 43_008, display: "summarized" },
    });
    expect(body["max_tokens"]).toBeGreaterThan(43_008);
  });

  test("R340 R53 R67 R68 R71 test_thinking_serialization_openai: the reasoning object", () => {
    const body = bodyFor("gpt-5-mini", "med");
    checkRequestJson(body, { reasoning: { effort: "medium", summary: "auto" } });
    expect(JSON.stringify(body)).not.toContain("budget");
  });

  test("R69 R70 test_thinking_serialization_openai: only the word on Chat Completions", () => {
    const body = bodyFor("openai-chat:gpt-5-mini", "med");
    checkRequestJson(body, { reasoning_effort: "medium" });
    expect(body).toHaveProperty("messages");
  });

  test("R341 R72 R74 R75 R76 test_thinking_serialization_google: the thinkingConfig object", () => {
    const body = bodyFor("gemini-3.0-flash", "med");
    checkRequestJson(body, { thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true } });
    expect(Object.keys(body)).toEqual(["contents", "generationConfig"]);
  });

  test("R341 R52 R73 test_thinking_serialization_google: Gemini 2.5 takes a budget", () => {
    const body = bodyFor("gemini-2.5-pro", "med");
    checkRequestJson(body, { thinkingConfig: { thinkingBudget: 21_888, includeThoughts: true } });
    expect(JSON.stringify(body)).not.toContain("thinkingLevel");
  });

  test("R360 R51 test_google_gemini_3_thinking_level: HIGH, and no thinkingBudget", () => {
    const config = thinkingIn(bodyFor("gemini-3-pro", "high"))["thinkingConfig"];
    expect(config).toMatchObject({ thinkingLevel: "HIGH" });
    expect(config).not.toHaveProperty("thinkingBudget");
  });

  test.each(["claude-sonnet-4-5", "gpt-5-mini", "openai-chat:gpt-5-mini", "gemini-3.0-flash"])(
    "R349 R77 R63 D2 test_thinking_none_skips_config: auto says nothing to %s",
    (model) => {
      checkRequestJson(bodyFor(model, "auto"), {});
      expect(requestFor(model, "auto").plan.setting).toEqual({ type: "default" });
    },
  );

  test("R349 R77 D2 test_thinking_none_skips_config: on Claude none leaves it out", () => {
    checkRequestJson(bodyFor("claude-sonnet-4-5", "none"), {});
    expect(requestFor("claude-sonnet-4-5", "none").plan.applied).toBe("none");
  });

  test.each([
    ["gpt-6-sol", { reasoning: { effort: "none" } }],
    ["gpt-5-mini", { reasoning: { effort: "minimal", summary: "auto" } }],
    ["gemini-2.5-flash", { thinkingConfig: { thinkingBudget: 0 } }],
    ["gemini-3.0-flash", { thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } }],
    ["claude-opus-5", { thinking: { type: "disabled" } }],
  ] as const)(
    "R349 D2 where leaving it out would think more, none says off or least: %s",
    (model, expected) => {
      checkRequestJson(bodyFor(model, "none"), expected);
      expect(requestFor(model, "none").plan.asked).toBe("none");
    },
  );

  test("R353 R79 R81 R82 R68 D15 test_thinking_summary_flag: one flag, each service's own field", () => {
    expect(shown("gpt-5-mini", true)).toEqual({ reasoning: { effort: "medium", summary: "auto" } });
    expect(shown("gpt-5-mini", false)).toEqual({ reasoning: { effort: "medium" } });
    expect(shown("gemini-3.0-flash", true)).toEqual({
      thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
    });
    expect(shown("gemini-3.0-flash", false)).toEqual({ thinkingConfig: { thinkingLevel: "HIGH" } });
    expect(shown("claude-sonnet-4-5", true)["thinking"]).toMatchObject({ display: "summarized" });
    expect(shown("claude-sonnet-4-5", false)["thinking"]).toMatchObject({ display: "omitted" });
  });

  test("R353 R213 test_thinking_summary_flag: detailed and brief", () => {
    expect(styled("detailed")).toMatchObject({ summary: "detailed" });
    expect(styled("brief")).toMatchObject({ summary: "concise" });
  });

  test.each(["gpt-4o", "claude-3-5-haiku", "gemini-2.0-flash"])(
    "R351 R10 D7 test_thinking_unsupported_model: %s gets no setting and no error",
    (model) => {
      const { encoded, plan } = requestFor(model, "high");
      checkRequestJson(encoded.body, {});
      expect(plan.notes.map(({ code }) => code)).toContain("not-thinking");
    },
  );

  test.each([-1, 5, 999, "maximum"])(
    "R354 R7 R8 R9 the level %s is INVALID_ARG while serializing",
    (level) => {
      let thrown: unknown;
      try {
        requestFor("claude-sonnet-4-5", level as Level);
      } catch (error) {
        thrown = error;
      }
      expect(isMullError(thrown)).toBe(true);
      expect(thrown).toMatchObject({ category: "invalid_argument", code: "INVALID_ARG" });
    },
  );
});
