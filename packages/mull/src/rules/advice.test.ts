import { describe, expect, test } from "vitest";
import type { JsonObject } from "../types/json.ts";
import type { WireId } from "../types/message.ts";
import { wireIds } from "../types/message.ts";
import { lint, repair, type LintRequest } from "./lint.ts";
import { rulesOf } from "../wire/rules-of.ts";

const claude = (model: string, body: JsonObject): LintRequest => ({
  wire: "anthropic-messages",
  body: {
    model,
    max_tokens: 8000,
    stream: true,
    messages: [{ role: "user", content: "Hi" }],
    ...body,
  },
});
const gemini = (
  model: string,
  generationConfig: JsonObject,
  ...more: JsonObject[]
): LintRequest => ({
  wire: "google-generate",
  model,
  path: `/v1beta/models/${model}:generateContent`,
  body: { contents: [...more, { role: "user", parts: [{ text: "Hi" }] }], generationConfig },
});
const gpt = (body: JsonObject): LintRequest => ({
  wire: "openai-responses",
  body: { model: "gpt-6-sol", input: "Hi", ...body },
});
const gptChat = (body: JsonObject): LintRequest => ({
  wire: "openai-chat",
  body: { model: "gpt-5", messages: [{ role: "user", content: "Hi" }], ...body },
});

const adaptive = { thinking: { type: "adaptive" } };
const said = (phase?: string): JsonObject => ({
  type: "message",
  role: "assistant",
  content: "Hello",
  ...(phase !== undefined && { phase }),
});
const tagged = "<thinking>Hm.</thinking>Hello";
const asks = "Write out your reasoning, then answer.";
const askedGemini = { role: "user", parts: [{ text: asks }] };

const cases: readonly (readonly [string, LintRequest])[] = [
  [
    "anthropic/advice-budget",
    claude("claude-opus-4-6", { thinking: { type: "enabled", budget_tokens: 2000 } }),
  ],
  ["anthropic/advice-tight-cap", claude("claude-opus-5-5", { ...adaptive, max_tokens: 300 })],
  [
    "anthropic/advice-effort-alone",
    claude("claude-opus-4-5", { output_config: { effort: "high" } }),
  ],
  [
    "anthropic/advice-output-format",
    claude("claude-opus-5", { output_format: { type: "json_schema", schema: {} } }),
  ],
  [
    "anthropic/advice-thinking-tags",
    claude("claude-opus-5", {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: tagged },
        { role: "user", content: "And?" },
      ],
    }),
  ],
  [
    "anthropic/advice-asks-for-reasoning",
    claude("claude-opus-5", { ...adaptive, messages: [{ role: "user", content: asks }] }),
  ],
  ["google/advice-sampling", gemini("gemini-3.8-flash", { temperature: 0.2 })],
  [
    "google/advice-zero-budget",
    gemini("gemini-3.8-flash", { thinkingConfig: { thinkingBudget: 0 } }),
  ],
  ["google/advice-tight-cap", gemini("gemini-3.8-flash", { maxOutputTokens: 100 })],
  [
    "google/advice-thinking-tags",
    gemini(
      "gemini-3.8-flash",
      {},
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ text: tagged }] },
    ),
  ],
  ["google/advice-asks-for-reasoning", gemini("gemini-3.8-flash", {}, askedGemini)],
  ["openai/advice-generate-summary", gpt({ reasoning: { generate_summary: "auto" } })],
  ["openai/advice-tight-cap", gpt({ max_output_tokens: 100 })],
  [
    "openai/advice-phase",
    gpt({ input: [said("commentary"), said(), { role: "user", content: "Hi" }] }),
  ],
  [
    "openai/advice-thinking-tags",
    gpt({
      input: [
        { ...said(), content: tagged },
        { role: "user", content: "Hi" },
      ],
    }),
  ],
  ["openai-chat/advice-tight-cap", gptChat({ max_completion_tokens: 100 })],
  [
    "openai-chat/advice-thinking-tags",
    gptChat({
      messages: [
        { role: "assistant", content: tagged },
        { role: "user", content: "Hi" },
      ],
    }),
  ],
];

const adviceOf = (wire: WireId): readonly string[] =>
  rulesOf(wire)
    .filter(({ severity }) => severity === "advice")
    .map(({ id }) => id);

describe("advice: the service takes it, and it is probably not what you want", () => {
  test.each(cases)("%s is found, and nothing else is wrong", (rule, request) => {
    const { ok, findings } = lint(request);
    expect(findings.map((finding) => [finding.rule, finding.severity])).toEqual([[rule, "advice"]]);
    expect(findings[0]).not.toHaveProperty("answer");
    expect(ok).toBe(true);
  });

  test.each(cases)("%s is not followed unless asked", (rule, request) => {
    expect(repair(request)).toMatchObject({ body: request.body, repairs: [] });
    const followed = repair(request, { advice: true });
    const canRepair = rulesOf(request.wire).find(({ id }) => id === rule)?.repair !== undefined;
    expect(followed.repairs.map((each) => each.rule)).toEqual(canRepair ? [rule] : []);
    expect(followed.findings.map((each) => each.rule)).toEqual(canRepair ? [] : [rule]);
  });

  test("every piece of advice has a case, and none runs before a request", () => {
    const proven = new Set(cases.map(([rule]) => rule));
    expect(wireIds.flatMap(adviceOf).filter((rule) => !proven.has(rule))).toEqual([]);
    const early = wireIds.flatMap((wire) =>
      rulesOf(wire).filter(({ severity, preflight }) => severity === "advice" && preflight),
    );
    expect(early).toEqual([]);
  });

  test("ordinary requests get none", () => {
    const ordinary = [
      claude("claude-opus-5-5", adaptive),
      gemini("gemini-3.8-flash", { temperature: 1, thinkingConfig: { thinkingLevel: "LOW" } }),
      gpt({ reasoning: { effort: "medium", summary: "auto" }, max_output_tokens: 25_000 }),
      gptChat({ max_completion_tokens: 4000 }),
    ];
    expect(ordinary.flatMap((request) => lint(request).findings)).toEqual([]);
  });
});
