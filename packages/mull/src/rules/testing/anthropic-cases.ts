import type { JsonObject } from "../../types/json.ts";
import type { HealCase } from "./heal-case.ts";

const thought = { type: "thinking", thinking: "t", signature: "s" };
const redacted = { type: "redacted_thinking", data: "d" };
const call = { type: "tool_use", id: "c", name: "f", input: {} };
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "c" }] };
const asked = { role: "user", content: "hi" };
const messages = [asked, { role: "assistant", content: [thought, redacted, call] }, result];
const stripped = [asked, { role: "assistant", content: [call] }, result];

const budget = { type: "enabled", budget_tokens: 2000 };
const adaptive = { type: "adaptive" };

/** The blocks go, and with them a budget: it would insist on the first one. */
const stripping = (rule: string, says: string): readonly HealCase[] => [
  {
    rule,
    says,
    model: "claude-opus-5-5",
    body: { thinking: adaptive, messages },
    becomes: { thinking: adaptive, messages: stripped },
  },
  {
    rule,
    says,
    model: "claude-sonnet-4-5",
    body: { thinking: budget, messages },
    becomes: { messages: stripped },
  },
];

const plain = (
  rule: string,
  says: string,
  body: JsonObject,
  becomes: JsonObject,
  model = "claude-opus-5-5",
): HealCase => ({ rule, says, model, body, becomes });

export const anthropicCases: readonly HealCase[] = [
  ...stripping(
    "anthropic/prefix-binding",
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  ),
  ...stripping(
    "anthropic/signature",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  ),
  ...stripping(
    "anthropic/signature",
    "messages.1.content.0: Invalid 'signature' in 'thinking' block",
  ),
  ...stripping(
    "anthropic/leading-thinking",
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
  ),
  ...stripping(
    "anthropic/latest-blocks-unmodified",
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
  ),
  ...stripping(
    "anthropic/signature-required",
    "messages.1.content.0.thinking.signature: Field required",
  ),
  ...stripping(
    "anthropic/signature-required",
    "messages.1.content.0.thinking.thinking: Field required",
  ),
  ...stripping(
    "anthropic/trailing-thinking",
    "messages.1: The final block in an assistant message cannot be `thinking`.",
  ),
  plain(
    "anthropic/prefix-binding",
    "The block is bound to a different conversation.",
    { messages: [asked, { role: "assistant", content: [thought] }, asked] },
    { messages: [asked, asked] },
  ),
  plain(
    "anthropic/prefill",
    "This model does not support assistant message prefill. The conversation must end with a user message.",
    { messages: [asked, { role: "assistant", content: "Yes, " }] },
    {
      messages: [
        asked,
        { role: "assistant", content: "Yes, " },
        { role: "user", content: [{ type: "text", text: "Continue." }] },
      ],
    },
  ),
  plain(
    "anthropic/tool-ids",
    "messages.0.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a|b" }] }] },
    {
      messages: [
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a_b_e726b11905478f76" }] },
      ],
    },
  ),
  plain(
    "anthropic/tool-use-names",
    "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    {
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "a.b", input: {} }] },
      ],
    },
    {
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "a_b", input: {} }] },
      ],
    },
  ),
  plain(
    "anthropic/thinking-while-disabled",
    "messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.",
    { messages },
    { messages: stripped },
  ),
  plain(
    "anthropic/budget-unsupported",
    '"thinking.type.enabled" is not supported for this model.',
    { thinking: budget },
    { thinking: adaptive },
  ),
  plain(
    "anthropic/disabled-unsupported",
    '"thinking.type.disabled" is not supported for this model.',
    { thinking: { type: "disabled" }, max_tokens: 5 },
    { max_tokens: 5, output_config: { effort: "low" } },
  ),
  plain(
    "anthropic/adaptive-unsupported",
    "adaptive thinking is not supported on this model",
    { thinking: adaptive, output_config: { effort: "low" } },
    { output_config: undefined },
    "claude-sonnet-4-5",
  ),
  plain(
    "anthropic/effort-while-disabled",
    "effort 'max' is not supported when thinking is disabled",
    { output_config: { effort: "max", format: {} } },
    { output_config: { effort: "high", format: {} } },
  ),
  plain(
    "anthropic/effort-level",
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
    { output_config: { effort: "xhigh" } },
    { output_config: { effort: "high" } },
  ),
  plain(
    "anthropic/effort-unsupported",
    "This model does not support the effort parameter.",
    { output_config: { effort: "high", format: {} } },
    { output_config: { format: {} } },
  ),
  plain(
    "anthropic/effort-update",
    "messages.2.output_config: Extra inputs are not permitted",
    {
      output_config: { effort: "high" },
      messages: [
        { role: "system", content: [], output_config: { effort: "medium" } },
        { role: "assistant", content: "Hi" },
        { role: "system", content: "Be brief.", output_config: { effort: "low" } },
      ],
    },
    {
      output_config: { effort: "low" },
      messages: [
        { role: "assistant", content: "Hi" },
        { role: "system", content: "Be brief." },
      ],
    },
  ),
  plain(
    "anthropic/binding-controls",
    "thinking.adaptive.block_binding: Extra inputs are not permitted",
    { thinking: { ...adaptive, block_binding: {} } },
    { thinking: adaptive },
  ),
  plain(
    "anthropic/sampling",
    "`temperature` may only be set to 1 when thinking is enabled",
    { temperature: 0.5, top_p: 0.1, max_tokens: 1 },
    { max_tokens: 1 },
  ),
  plain(
    "anthropic/tool-choice",
    "Thinking may not be enabled when tool_choice forces tool use.",
    { tool_choice: { type: "any" } },
    { tool_choice: { type: "auto" } },
  ),
];
