import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import { type Case, items, judge, user, wanted } from "../testing/rule-case.ts";

const cases: readonly Case[] = [
  {
    rule: "openai/effort-supported",
    model: "gpt-5.1",
    body: { reasoning: { effort: "minimal" } },
    path: "reasoning.effort",
    message:
      "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
    code: "unsupported_value",
  },
  {
    rule: "openai/effort-supported",
    model: "gpt-5-pro",
    body: { reasoning: { effort: "low" } },
    path: "reasoning.effort",
    message:
      "Unsupported value: 'low' is not supported with the 'gpt-5-pro' model. Supported values are: 'high'.",
    code: "unsupported_value",
  },
  {
    rule: "openai/effort-supported",
    model: "gpt-4.1",
    body: { reasoning: { effort: "low" } },
    path: "reasoning.effort",
    message: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    code: "unsupported_parameter",
  },
  {
    rule: "openai/effort-supported",
    body: { reasoning: { effort: "ultra", summary: "auto" } },
    path: "reasoning.effort",
    message:
      "Invalid value: 'ultra'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'.",
    code: "invalid_value",
  },
  {
    rule: "openai/effort-supported",
    body: { reasoning: { effort: 5 } },
    path: "reasoning.effort",
    message:
      "Invalid value: '5'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'.",
    code: "invalid_value",
  },
  {
    rule: "openai/summary-supported",
    body: { reasoning: { summary: "none" } },
    path: "reasoning.summary",
    message: "Invalid value: 'none'. Supported values are: 'concise', 'detailed', and 'auto'.",
    code: "invalid_value",
  },
  {
    rule: "openai/summary-supported",
    model: "gpt-5",
    body: { reasoning: { summary: "concise" } },
    path: "reasoning.summary",
    message:
      "Unsupported value: 'concise' is not supported with the 'gpt-5' model. Supported values are: 'detailed'.",
    code: "unsupported_value",
  },
  {
    rule: "openai/summary-supported",
    model: "gpt-5.3-codex-spark",
    body: { reasoning: { summary: "auto" } },
    path: "reasoning.summary",
    message: "Unsupported parameter: 'reasoning.summary' is not supported with this model.",
    code: "unsupported_parameter",
  },
  {
    rule: "openai/sampling-while-thinking",
    model: "gpt-5",
    body: { top_p: 0.5 },
    path: "top_p",
    message: "Unsupported parameter: 'top_p' is not supported with this model.",
  },
  {
    rule: "openai/sampling-while-thinking",
    body: { temperature: 0.5, reasoning: { effort: "low" } },
    path: "temperature",
    message: "Unsupported parameter: 'temperature' is not supported with this model.",
  },
  {
    rule: "openai/sampling-while-thinking",
    body: {
      temperature: 0.5,
      reasoning: { effort: "none" },
      ...items(user, { type: "configuration_update", reasoning: { effort: "high" } }),
    },
    path: "temperature",
    message: "Unsupported parameter: 'temperature' is not supported with this model.",
  },
  {
    rule: "openai/sampling-range",
    model: "gpt-4o",
    body: { temperature: -1, top_p: 0.5 },
    path: "temperature",
    message:
      "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
    code: "decimal_below_min_value",
  },
  {
    rule: "openai/sampling-range",
    model: "gpt-4o",
    body: { top_p: 3 },
    path: "top_p",
    message:
      "Invalid 'top_p': decimal above maximum value. Expected a value <= 1, but got 3 instead.",
    code: "decimal_above_max_value",
  },
  {
    rule: "openai/least-output-cap",
    body: { max_output_tokens: 1 },
    path: "max_output_tokens",
    message:
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
    code: "integer_below_min_value",
  },
  {
    rule: "openai/cache-retention-replaced",
    body: { prompt_cache_retention: "24h" },
    path: "prompt_cache_retention",
    message: "Unsupported parameter: 'prompt_cache_retention' is not supported with this model.",
    code: "unsupported_parameter",
  },
];

describe("rules of settings", () => {
  it.each(cases)("$rule: $message", (each) => {
    expect(judge(each, findModel)).toEqual(wanted(each));
  });
});
