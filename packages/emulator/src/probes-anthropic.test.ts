import type { JsonObject, JsonValue } from "mull";

import { runProbes, type Probe } from "./testing/probe.ts";

const hi: JsonValue = [{ role: "user", content: "Hi" }];
const tool = { name: "f", input_schema: { type: "object", properties: {} } };
const call = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "4" };
const claude = (model: string, more: JsonObject = {}): JsonObject => ({
  model: `claude-${model}`,
  max_tokens: 4096,
  messages: hi,
  ...more,
});
const thinking = (type: string, more: JsonObject = {}): JsonObject => ({
  thinking: { type, ...more },
});
const budget = (tokens: number): JsonObject => thinking("enabled", { budget_tokens: tokens });
const effort = (word: string): JsonObject => ({ output_config: { effort: word } });
const said = (...content: readonly JsonObject[]): JsonObject => ({
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content },
    { role: "user", content: "Go on" },
  ],
});
const looped = (...last: readonly JsonObject[]): JsonObject => ({
  tools: [tool],
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: [call] },
    { role: "user", content: last },
  ],
});
const versioned = { "anthropic-version": "2026-10-21" };
const binding = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };

const anthropic: readonly Probe[] = [
  {
    name: "a message that ends in thinking",
    refused: claude("opus-5", said({ type: "thinking", thinking: "", signature: "x" })),
    text: "messages.1: The final block in an assistant message cannot be `thinking`.",
    accepted: claude("opus-5", said({ type: "text", text: "Hello" })),
  },
  {
    name: "thinking without a signature",
    refused: claude(
      "opus-5",
      said({ type: "thinking", thinking: "x" }, { type: "text", text: "y" }),
    ),
    text: "messages.1.content.0.thinking.signature: Field required",
    accepted: claude("opus-5", said({ type: "text", text: "y" })),
  },
  {
    name: "a signature of nobody",
    refused: claude(
      "opus-5",
      said({ type: "thinking", thinking: "x", signature: "EqQB" }, { type: "text", text: "y" }),
    ),
    text: "messages.1.content.0: Invalid `signature` in `thinking` block",
    accepted: claude("opus-5", said({ type: "text", text: "y" })),
  },
  {
    name: "a call without its result",
    refused: claude("opus-5", looped({ type: "text", text: "Go on" })),
    text: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    accepted: claude("opus-5", looped(result)),
  },
  {
    name: "a result without its call",
    refused: claude("opus-5", { messages: [{ role: "user", content: [result] }] }),
    text: /^messages\.0\.content\.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1\./,
    accepted: claude("opus-5", looped(result, { type: "text", text: "Go on" })),
  },
  {
    name: "a budget on 4.7 and later",
    refused: claude("opus-4-7", budget(2048)),
    text: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    accepted: claude("opus-4-6", budget(2048)),
  },
  {
    name: "off on a model that always thinks",
    refused: claude("opus-5-5", thinking("disabled")),
    text: /^"thinking\.type\.disabled" is not supported for this model\./,
    accepted: claude("opus-5", thinking("disabled")),
  },
  {
    name: "between_tools anywhere but on Sonnet 5.5",
    refused: claude("opus-5", thinking("between_tools")),
    text: /between_tools/,
    accepted: claude("sonnet-5-5", thinking("between_tools")),
  },
  {
    name: "adaptive on 4.5",
    refused: claude("haiku-4-5", thinking("adaptive")),
    text: "adaptive thinking is not supported on this model",
    accepted: claude("opus-4-6", thinking("adaptive")),
  },
  {
    name: "high effort while off",
    refused: claude("opus-5", { ...thinking("disabled"), ...effort("xhigh") }),
    text: "output_config.effort 'xhigh' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.",
    accepted: claude("opus-5", { ...thinking("disabled"), ...effort("high") }),
  },
  {
    name: "an effort the model does not have",
    refused: claude("opus-4-5", effort("max")),
    text: "This model does not support effort level 'max'. Supported levels: high, low, medium.",
    accepted: claude("opus-4-5", effort("high")),
  },
  {
    name: "effort on a model without",
    refused: claude("haiku-4-5", effort("low")),
    text: "This model does not support the effort parameter.",
    accepted: claude("haiku-4-5"),
  },
  {
    name: "a budget not below the cap",
    refused: claude("haiku-4-5", budget(4096)),
    text: /^`max_tokens` must be greater than `thinking\.budget_tokens`\./,
    accepted: claude("haiku-4-5", budget(4095)),
  },
  {
    name: "a budget below 1024",
    refused: claude("haiku-4-5", budget(1023)),
    text: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    accepted: claude("haiku-4-5", budget(1024)),
  },
  {
    name: "temperature while thinking",
    refused: claude("haiku-4-5", { ...budget(1024), temperature: 0.5 }),
    text: /^`temperature` may only be set to 1 when thinking is enabled\./,
    accepted: claude("haiku-4-5", { temperature: 0.5 }),
  },
  {
    name: "top_k while thinking",
    refused: claude("haiku-4-5", { ...budget(1024), top_k: 5 }),
    text: /^`top_k` must be unset when thinking is enabled\./,
    accepted: claude("haiku-4-5", { top_k: 5 }),
  },
  {
    name: "temperature on 4.7 and later",
    refused: claude("opus-4-8", { temperature: 0.5 }),
    text: "`temperature` is deprecated for this model.",
    accepted: claude("opus-4-8", { temperature: 1 }),
  },
  {
    name: "a forced tool with a budget",
    refused: claude("haiku-4-5", { ...budget(1024), tools: [tool], tool_choice: { type: "any" } }),
    text: "Thinking may not be enabled when tool_choice forces tool use.",
    accepted: claude("haiku-4-5", {
      ...budget(1024),
      tools: [tool],
      tool_choice: { type: "auto" },
    }),
  },
  {
    name: "a forced tool on the newest models",
    refused: claude("opus-5-5", { tools: [tool], tool_choice: { type: "tool", name: "f" } }),
    text: 'tool_choice: type "tool" and "any" are not supported for this model.',
    accepted: claude("opus-5", { tools: [tool], tool_choice: { type: "tool", name: "f" } }),
  },
  {
    name: "prefill",
    refused: claude("opus-4-6", {
      messages: [...(hi as []), { role: "assistant", content: "Well" }],
    }),
    text: "This model does not support assistant message prefill. The conversation must end with a user message.",
    accepted: claude("haiku-4-5", {
      messages: [...(hi as []), { role: "assistant", content: "Well" }],
    }),
  },
  {
    name: "binding controls without their beta",
    refused: claude(
      "opus-5-5",
      thinking("adaptive", { block_binding: { prefix_mismatch_behavior: "error" } }),
    ),
    text: "thinking.adaptive.block_binding: Extra inputs are not permitted",
    accepted: claude(
      "opus-5-5",
      thinking("adaptive", { block_binding: { prefix_mismatch_behavior: "error" } }),
    ),
    acceptedHeaders: binding,
  },
  {
    name: "sampling under version 2026-10-21",
    refused: claude("haiku-4-5", { temperature: 1 }),
    headers: versioned,
    text: /temperature/,
    accepted: claude("haiku-4-5"),
    acceptedHeaders: versioned,
  },
  {
    name: "an unknown model",
    refused: claude("none-1"),
    status: 404,
    text: "model: claude-none-1",
    accepted: claude("opus-5-5"),
  },
  {
    name: "a retired model",
    refused: claude("3-7-sonnet-20250219"),
    status: 404,
    text: "model: claude-3-7-sonnet-20250219",
    accepted: claude("haiku-4-5-20251001"),
  },
  {
    name: "a cap above the model's",
    refused: claude("haiku-4-5", { max_tokens: 64_001 }),
    text: /max_tokens: 64001 > 64000/,
    accepted: claude("haiku-4-5", { max_tokens: 64_000 }),
  },
];

runProbes("anthropic", anthropic);
