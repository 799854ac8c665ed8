import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import { type Case, items, judge, user, wanted } from "../testing/rule-case.ts";

const cases: readonly Case[] = [
  {
    rule: "openai/logprobs",
    model: "gpt-5.6-sol",
    body: { include: ["reasoning.encrypted_content", "message.output_text.logprobs"] },
    path: "include",
    message: "logprobs are not supported with reasoning models.",
    code: "unsupported_parameter",
  },
  {
    rule: "openai/logprobs",
    model: "gpt-5",
    body: { top_logprobs: 3 },
    path: "top_logprobs",
    message: "logprobs are not supported with reasoning models.",
    code: "unsupported_parameter",
  },
  {
    rule: "openai/logprobs",
    model: "gpt-4.1",
    body: { include: ["message.output_text.logprobs"], top_logprobs: 21 },
    path: "top_logprobs",
    message:
      "Invalid 'top_logprobs': integer above maximum value. Expected a value <= 20, but got 21 instead.",
    code: "integer_above_max_value",
  },
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

const valueCases: readonly Case[] = [
  {
    rule: "openai/setting-values",
    body: { service_tier: "gold" },
    path: "service_tier",
    message:
      "Invalid value: 'gold'. Supported values are: 'auto', 'default', 'flex', 'scale', and 'priority'.",
    code: "invalid_value",
  },
  {
    rule: "openai/setting-values",
    body: { text: { verbosity: "huge", format: { type: "text" } } },
    path: "text.verbosity",
    message: "Invalid value: 'huge'. Supported values are: 'low', 'medium', and 'high'.",
    code: "invalid_value",
  },
  {
    rule: "openai/setting-values",
    body: { store: "no" },
    path: "store",
    message: "Invalid type for 'store': expected a boolean, but got a string instead.",
    code: "invalid_type",
  },
  {
    rule: "openai/setting-values",
    body: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ""])) },
    path: "metadata",
    message:
      "Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with 17 properties instead.",
    code: "object_above_max_properties",
  },
  {
    rule: "openai/setting-values",
    body: { prompt_cache_key: "k".repeat(65), truncation: "auto", service_tier: null },
    path: "prompt_cache_key",
    message:
      "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    code: "string_above_max_length",
  },
];

describe("rules of settings", () => {
  it.each([...cases, ...valueCases])("$rule: $message", (each) => {
    expect(judge(each, findModel)).toEqual(wanted(each));
  });
});
