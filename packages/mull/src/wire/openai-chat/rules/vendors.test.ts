import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { Model } from "../../../types/model.ts";
import { rulesOf } from "../../../rules.ts";
import { plain, reasoner } from "../testing/models.ts";
import {
  at,
  call,
  inputOf,
  ruleOf,
  tools,
  user,
  wronglyFound,
  wronglyRepaired,
  type RuleCase,
} from "../testing/rule-cases.ts";

const thinker = (provider: string, row: Partial<Model> = {}): Model =>
  at(provider, { thinking: { kind: "switch", off: "switch" }, ...row });

const later: Model = {
  ...reasoner,
  thinking: { kind: "effort", efforts: ["none", "low"], off: "effort-none" },
};

/** What an effort becomes. */
const repair = (effort: string, model = reasoner): unknown =>
  ruleOf("effort-value").repair?.(inputOf(model, { reasoning_effort: effort }))["reasoning_effort"];

const cases: readonly RuleCase[] = [
  ["max-tokens", reasoner, { max_tokens: 5 }, "max_tokens", "Use 'max_completion_tokens' instead."],
  ["max-tokens", plain, { max_tokens: 5 }, null],
  [
    "effort-on-plain-model",
    plain,
    { reasoning_effort: "low" },
    "reasoning_effort",
    "Unsupported parameter: 'reasoning_effort'",
  ],
  ["effort-on-plain-model", { ...plain, assumed: true }, { reasoning_effort: "low" }, null],
  [
    "effort-value",
    reasoner,
    { reasoning_effort: "none" },
    "reasoning_effort",
    "does not support 'none' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
  ],
  [
    "effort-value",
    { ...reasoner, thinking: { kind: "effort", efforts: ["high", "max"], off: "never" } },
    { reasoning_effort: "max" },
    "reasoning_effort",
    "values are: 'high'.",
  ],
  [
    "effort-value",
    { ...reasoner, thinking: { kind: "effort", efforts: ["low", "high"], off: "never" } },
    { reasoning_effort: "medium" },
    "reasoning_effort",
    "values are: 'low' and 'high'.",
  ],
  ["effort-value", reasoner, { reasoning_effort: "low" }, null],
  [
    "sampling",
    reasoner,
    { temperature: 0.2 },
    "temperature",
    "does not support 0.2 with this model. Only the default (1)",
  ],
  ["sampling", reasoner, { top_p: 0.2 }, "top_p", "'top_p' is not supported"],
  ["sampling", reasoner, { logprobs: true }, "logprobs", "'logprobs' is not supported"],
  ["top-logprobs", plain, { top_logprobs: 2 }, "top_logprobs", "only allowed when 'logprobs' is"],
  ["top-logprobs", plain, { top_logprobs: 2, logprobs: true }, null],
  ["top-logprobs", at("vllm"), { top_logprobs: 2 }, null],
  ["sampling", reasoner, { temperature: 1, logprobs: false, presence_penalty: 0 }, null],
  [
    "sampling",
    { ...reasoner, sampling: "only-off" },
    { temperature: 0, reasoning_effort: "none" },
    null,
  ],
  [
    "sampling",
    { ...reasoner, sampling: "only-off" },
    { logprobs: true, logit_bias: { 50256: -100 }, reasoning_effort: "none" },
    "logit_bias",
    "'logit_bias' is not supported",
  ],
  [
    "sampling",
    { ...reasoner, sampling: "only-off", defaultThinking: "none" },
    { temperature: 0 },
    null,
  ],
  [
    "sampling",
    { ...reasoner, sampling: "only-off" },
    { temperature: 0 },
    "temperature",
    "does not support 0",
  ],
  ["stop", { ...reasoner, id: "o3" }, { stop: ["x"] }, "stop", "'stop' is not supported"],
  [
    "effort-with-tools",
    { ...later, id: "gpt-5.4" },
    { tools, reasoning_effort: "low" },
    "reasoning_effort",
    "not supported for gpt-5.4 in /v1/chat/completions",
  ],
  ["effort-with-tools", { ...later, id: "gpt-5.4" }, { tools }, null],
  ["effort-with-tools", { ...later, id: "gpt-6-sol" }, { tools }, "reasoning_effort", "gpt-6-sol"],
  ["effort-with-tools", { ...later, id: "gpt-6-sol" }, { tools, reasoning_effort: "none" }, null],
  [
    "cache-retention",
    { ...reasoner, id: "gpt-6-sol" },
    { prompt_cache_retention: "24h" },
    "prompt_cache_retention",
    "not supported",
  ],
  [
    "strict-schema",
    plain,
    {
      response_format: {
        json_schema: {
          name: "n",
          strict: true,
          schema: {
            properties: { oneOf: { type: "string" }, a: { oneOf: [1] } },
            required: ["oneOf", "a"],
            additionalProperties: false,
          },
        },
      },
    },
    "response_format",
    "In context=('properties', 'a'), 'oneOf' is not permitted.",
  ],
  ["strict-schema", plain, { response_format: { json_schema: { strict: false } } }, null],
  [
    "strict-schema",
    plain,
    {
      tools: [
        {},
        { function: { name: "f", strict: true, parameters: { type: "object" } } },
        { function: { name: "g" } },
      ],
    },
    "tools[1].function.parameters",
    "Invalid schema for function 'f': In context=(), 'additionalProperties' is required to be supplied and to be false.",
  ],
  ["strict-schema", plain, { tools: [{ function: { parameters: { type: "object" } } }] }, null],
  [
    "strict-schema",
    at("mistral"),
    { tools: [{ function: { strict: true, parameters: {} } }] },
    null,
  ],
  [
    "tool-schema",
    plain,
    {
      tools: [
        { function: { name: "f", parameters: { type: "object" } } },
        { function: { name: "g" } },
      ],
    },
    "tools[0].function.parameters",
    "Invalid schema for function 'f': In context=(), object schema missing properties.",
  ],
  ["tool-schema", plain, { tools: [{ function: { name: "f" } }, { type: "custom" }] }, null],
  [
    "reasoning-content-required",
    thinker("deepseek", { replay: "tool-calls" }),
    { messages: [{ role: "assistant", tool_calls: [call("a")] }] },
    "messages[0].reasoning_content",
    "must be passed back to the API.",
  ],
  [
    "reasoning-content-required",
    thinker("moonshot", { replay: "required" }),
    { messages: [user, { role: "assistant", content: "a" }] },
    "messages[1].reasoning_content",
    "missing in assistant tool call message at index 1",
  ],
  [
    "reasoning-content-required",
    thinker("deepseek", { replay: "tool-calls" }),
    { messages: [{ role: "assistant", content: "a" }], thinking: { type: "enabled" } },
    null,
  ],
  [
    "reasoning-content-required",
    thinker("deepseek", { replay: "required" }),
    { messages: [{ role: "assistant", content: "a" }], thinking: { type: "disabled" } },
    null,
  ],
  [
    "reasoning-content-required",
    thinker("deepseek", { replay: "required" }),
    { messages: [{ role: "assistant", reasoning_content: "" }] },
    null,
  ],
  [
    "thinking-not-taken",
    reasoner,
    { messages: [user, { role: "assistant", content: "a", reasoning: "hm" }] },
    "messages[1]",
    "does not take thinking back",
  ],
  ["thinking-not-taken", plain, { messages: [{ role: "assistant", reasoning_details: [] }] }, null],
  [
    "forced-tool",
    findModel("deepseek-v4-pro"),
    { tool_choice: "required", tools },
    "tool_choice",
    "Thinking mode does not support this tool_choice",
  ],
  [
    "forced-tool",
    findModel("qwen3.7-max"),
    { tool_choice: "required" },
    "tool_choice",
    "does not support being set to required or object in thinking mode",
  ],
  [
    "forced-tool",
    findModel("kimi-k2.6"),
    { tool_choice: "required" },
    "tool_choice",
    "tool_choice 'required' is incompatible with thinking enabled",
  ],
  [
    "forced-tool",
    findModel("kimi-k3"),
    { tool_choice: { type: "function" } },
    "tool_choice",
    "tool_choice 'specified' is incompatible with thinking enabled",
  ],
  [
    "forced-tool",
    findModel("glm-4.7"),
    { tool_choice: "required", thinking: { type: "disabled" } },
    "tool_choice",
    "Tool choice must be auto",
  ],
  [
    "forced-tool",
    findModel("deepseek-v4-pro"),
    { tool_choice: { type: "function" }, thinking: { type: "disabled" } },
    null,
  ],
  [
    "forced-tool",
    findModel("qwen3.7-max"),
    { tool_choice: { type: "function" }, enable_thinking: false },
    null,
  ],
  ["forced-tool", findModel("qwen-plus"), { tool_choice: "required" }, null],
  ["forced-tool", findModel("kimi-k3"), { tool_choice: "required" }, null],
  ["forced-tool", findModel("glm-4.7"), { tool_choice: "auto" }, null],
  [
    "images",
    at("deepseek", { files: { images: false, pdf: false } }),
    { messages: [user, { role: "user", content: [{ type: "text" }, { type: "image_url" }] }] },
    "messages[1].content[1]",
    "unknown variant `image_url`",
  ],
  [
    "images",
    at("deepseek", { files: { images: false, pdf: false } }),
    { messages: [{ role: "user", content: [{ type: "text" }] }] },
    null,
  ],
  [
    "system-later",
    at("mistral"),
    { messages: [user, { role: "assistant", content: "a" }, { role: "system", content: "s" }] },
    "messages[2].role",
    "Unexpected role 'system' after role 'assistant'",
  ],
  [
    "system-later",
    at("mistral"),
    { messages: [user, { role: "tool", content: "a" }, { role: "system", content: "s" }] },
    "messages[2].role",
    "Unexpected role 'system' after role 'tool'",
  ],
  [
    "system-later",
    at("perplexity"),
    { messages: [user, { role: "system", content: "s" }] },
    "messages[1].role",
    "should alternate with assistant",
  ],
  [
    "system-later",
    at("mistral"),
    { messages: [{ role: "system", content: "s" }, user, { role: "system", content: "s" }] },
    null,
  ],
  [
    "thinking-chunks",
    at("mistral"),
    { messages: [user, { role: "assistant", content: [{ type: "thinking" }, { type: "text" }] }] },
    "messages[1].content",
    "Reasoning input is not enabled for this model",
  ],
  [
    "cannot-be-off",
    { ...reasoner, provider: "openrouter" },
    { reasoning: { enabled: false } },
    "reasoning",
    "'none' is not supported with the 'gpt-5-mini' model",
  ],
  [
    "cannot-be-off",
    {
      ...reasoner,
      provider: "openrouter",
      thinking: { kind: "effort", efforts: ["none"], off: "effort-none" },
    },
    { reasoning: { effort: "none" } },
    null,
  ],
  [
    "effort-or-budget",
    at("openrouter"),
    { reasoning: { effort: "low", max_tokens: 5 } },
    "reasoning",
    "Only one of",
  ],
  ["raw-with-tools", at("groq"), { reasoning_format: "raw", tools }, "reasoning_format", "raw"],
  [
    "raw-with-tools",
    at("groq"),
    { reasoning_format: "raw", response_format: {} },
    "reasoning_format",
    "raw",
  ],
  ["raw-with-tools", at("groq"), { reasoning_format: "raw" }, null],
  ["one-choice", at("groq"), { n: 2 }, "n", "'n' : number must be at most 1"],
  ["one-choice", at("groq"), { n: 1 }, null],
  ["one-choice", at("mistral"), { n: 2 }, null],
];

describe("rules of models and vendors", () => {
  it("P-J2 each finds what the service refuses, where and in its words, and nothing else", () => {
    expect(wronglyFound(cases)).toEqual([]);
  });

  it("a repair leaves nothing of its rule to find, and touches nothing given", () => {
    expect(wronglyRepaired(cases)).toEqual([]);
  });

  it("every rule has its own id and answers as the service does", () => {
    const ids = rulesOf("openai-chat").map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      ruleOf("served-model").check(inputOf({ ...plain, status: "never-served" }, {}))[0]?.answer,
    ).toEqual({
      status: 404,
      type: "invalid_request_error",
      code: "model_not_found",
      message: "The model `gpt-4.1` does not exist or you do not have access to it.",
    });
    expect(
      ruleOf("max-tokens").check(inputOf(reasoner, { max_tokens: 1 }))[0]?.answer,
    ).toMatchObject({ param: "max_tokens", code: "unsupported_parameter" });
    expect(ruleOf("thinking-not-taken").severity).toBe("warning");
  });

  it("P-B4 an effort is lowered, and raised only where nothing is lower", () => {
    const highOnly: Model = {
      ...reasoner,
      thinking: { kind: "effort", efforts: ["high"], off: "never" },
    };
    const noneOnly: Model = {
      ...reasoner,
      thinking: { kind: "effort", efforts: ["none"], off: "effort-none" },
    };
    expect([
      repair("xhigh"),
      repair("none"),
      repair("low", highOnly),
      repair("low", noneOnly),
      repair("odd", plain),
    ]).toEqual(["high", "minimal", "high", "none", "odd"]);
  });

  it("a repair of what is not wrong changes nothing that matters", () => {
    const input = inputOf(plain, { reasoning: 1 });
    expect(ruleOf("cannot-be-off").repair?.(input)).toMatchObject({ reasoning: {} });
    expect(ruleOf("effort-or-budget").repair?.(input)).toMatchObject({ reasoning: 1 });
    const astra = inputOf({ ...reasoner, id: "gpt-6-astra" }, { tools });
    expect(ruleOf("effort-with-tools").repair?.(astra)).toBe(astra.body);
  });
});
