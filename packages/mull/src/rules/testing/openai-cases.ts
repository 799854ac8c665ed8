import type { JsonObject } from "../../types/json.ts";
import type { HealCase } from "./heal-case.ts";

const input = [
  { type: "message", role: "user", content: "hi" },
  { type: "reasoning", id: "rs_1", encrypted_content: "gAAAAA" },
  { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: "{}" },
  { type: "function_call_output", call_id: "c1", output: "ok" },
];
/** Pairs stay together by `call_id`. */
const withoutReasoning = [
  { type: "message", role: "user", content: "hi" },
  { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
  { type: "function_call_output", call_id: "c1", output: "ok" },
];

const row = (
  rule: string,
  says: string,
  body: JsonObject,
  becomes: JsonObject,
  model = "gpt-6-sol",
): HealCase => ({ rule, says, model, body, becomes });

const dropping = (rule: string, says: string): HealCase =>
  row(rule, says, { input, store: false }, { input: withoutReasoning, store: false });

export const openaiResponsesCases: readonly HealCase[] = [
  row(
    "openai/summary-verification",
    "Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.",
    { reasoning: { effort: "low", summary: "auto" } },
    { reasoning: { effort: "low" } },
  ),
  row(
    "openai/summary-supported",
    "Unsupported value: 'concise' is not supported with the 'gpt-5' model. Supported values are: 'detailed'.",
    { reasoning: { summary: "concise" } },
    { reasoning: undefined },
    "gpt-5",
  ),
  row(
    "openai/effort-supported",
    "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
    { reasoning: { effort: "minimal", summary: "auto" } },
    { reasoning: { effort: "none", summary: "auto" } },
    "gpt-5.1",
  ),
  row(
    "openai/effort-supported",
    "Unsupported value: 'xhigh' is not supported with the 'gpt-5' model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
    { reasoning: { effort: "xhigh" } },
    { reasoning: { effort: "high" } },
    "gpt-5",
  ),
  row(
    "openai/effort-supported",
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    { reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"], input: "x" },
    { input: "x" },
    "gpt-4.1",
  ),
  dropping(
    "openai/encrypted-content",
    "The encrypted content gAAA... could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
  ),
  dropping(
    "openai/reasoning-follower",
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  ),
  dropping(
    "openai/reasoning-of-item",
    "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'.",
  ),
  dropping(
    "openai/stored-item",
    "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
  ),
  dropping("openai/item-not-found", "Item with id 'rs_1' not found."),
  dropping("openai/item-id", "Invalid 'input[3].id': 'x'. Expected an ID that begins with 'rs'."),
  dropping("openai/item-id", "Duplicate item found with id rs_1."),
  row(
    "openai/reasoning-status",
    "Unknown parameter: 'input[1].status'.",
    { input: [{ type: "reasoning", status: "completed" }] },
    { input: [{ type: "reasoning" }] },
  ),
  row(
    "openai/item-field-unknown",
    "Unknown parameter: 'input[1].mood'.",
    { input: [{ type: "message", mood: "good" }] },
    { input: [{ type: "message" }] },
  ),
  row(
    "openai/call-name",
    "Invalid 'input[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    { input: [{ type: "function_call", name: "a.b" }, { type: "message" }] },
    { input: [{ type: "function_call", name: "a_b" }, { type: "message" }] },
  ),
  row(
    "openai/configuration-update",
    "The 'configuration_update' item type is not supported with this model.",
    { input: [{ type: "configuration_update" }, { type: "message" }] },
    { input: [{ type: "message" }] },
  ),
  row(
    "openai/configuration-update",
    "The 'configuration_update' item type is not supported with this model.",
    {
      reasoning: { effort: "high", summary: "auto" },
      input: [
        { type: "configuration_update", reasoning: { effort: "medium" } },
        { type: "message" },
        { type: "configuration_update", reasoning: { effort: "low" } },
      ],
    },
    { reasoning: { effort: "low", summary: "auto" }, input: [{ type: "message" }] },
  ),
  row(
    "openai/sampling-while-thinking",
    "Unsupported parameter: 'temperature' is not supported with this model.",
    { temperature: 1.5, top_p: 1 },
    { top_p: 1 },
  ),
];

export const openaiChatCases: readonly HealCase[] = [
  row(
    "openai-chat/call-name",
    "Invalid 'messages[0].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    {
      messages: [
        { role: "assistant", tool_calls: [{ function: { name: "a.b", arguments: "{}" } }, {}] },
        { role: "user", content: "hi" },
      ],
    },
    {
      messages: [
        { role: "assistant", tool_calls: [{ function: { name: "a_b", arguments: "{}" } }, {}] },
        { role: "user", content: "hi" },
      ],
    },
    "gpt-5",
  ),
  row(
    "openai-chat/effort-value",
    "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'none', 'low', 'medium', and 'high'.",
    { reasoning_effort: "minimal" },
    { reasoning_effort: "none" },
    "gpt-5.1",
  ),
  row(
    "openai-chat/effort-with-tools",
    "Function tools with reasoning_effort are not supported for gpt-6-sol in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    { reasoning_effort: "low" },
    { reasoning_effort: "none" },
  ),
  row(
    "openai-chat/forced-tool",
    "Thinking mode does not support this tool_choice",
    { tool_choice: "required", tools: [] },
    { tools: [] },
  ),
  row(
    "openai-chat/forced-tool",
    "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
    { tool_choice: "required", tools: [] },
    { tools: [] },
  ),
  row(
    "openai-chat/forced-tool",
    "tool_choice 'specified' is incompatible with thinking enabled",
    { tool_choice: "required", tools: [] },
    { tools: [] },
  ),
  row(
    "openai-chat/forced-tool",
    "Tool choice must be auto",
    { tool_choice: "required", tools: [] },
    { tools: [] },
  ),
  row(
    "openai-chat/system-later",
    "Unexpected role 'system' after role 'tool'",
    { messages: [{ role: "user" }, { role: "tool" }, { role: "system" }] },
    { messages: [{ role: "system" }, { role: "user" }, { role: "tool" }] },
    "mistral-large",
  ),
  row(
    "openai-chat/user-after-tool",
    "Unexpected role 'user' after role 'tool'",
    { messages: [{ role: "user" }, { role: "tool" }, { role: "tool" }, { role: "user" }] },
    {
      messages: [
        { role: "user" },
        { role: "tool" },
        { role: "tool" },
        { role: "assistant", content: "[The results came in.]" },
        { role: "user" },
      ],
    },
    "mistral-large",
  ),
  row(
    "openai-chat/effort-on-plain-model",
    "Unrecognized request argument supplied: reasoning_effort",
    { reasoning_effort: "low", model: "gpt-4.1" },
    { model: "gpt-4.1" },
    "gpt-4.1",
  ),
  row(
    "openai-chat/sampling",
    "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    { temperature: 0.5 },
    {},
  ),
];
