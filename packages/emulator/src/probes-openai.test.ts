import type { JsonObject } from "mull";

import { runProbes, type Probe } from "./testing/probe.ts";

const gpt = (model: string, more: JsonObject = {}): JsonObject => ({ model, input: "Hi", ...more });
const items = (...list: readonly JsonObject[]): JsonObject => ({
  input: [{ role: "user", content: "Hi" }, ...list],
});
const fc = { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" };
const out = { type: "function_call_output", call_id: "call_1", output: "4" };

const looking = (schema: JsonObject): JsonObject => ({
  type: "function",
  name: "look",
  strict: true,
  parameters: { type: "object", ...schema },
});

const responses: readonly Probe[] = [
  {
    name: "P-B1 minimal past gpt-5",
    refused: gpt("gpt-5.1", { reasoning: { effort: "minimal" } }),
    text: "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
    accepted: gpt("gpt-5", { reasoning: { effort: "minimal" } }),
  },
  {
    name: "none on gpt-6.1-sol",
    refused: gpt("gpt-6.1-sol", { reasoning: { effort: "none" } }),
    text: /^Unsupported value: 'none' is not supported with the 'gpt-6\.1-sol' model\./,
    accepted: gpt("gpt-6-sol", { reasoning: { effort: "none" } }),
  },
  {
    name: "effort on a model that does not think",
    refused: gpt("gpt-4.1", { reasoning: { effort: "low" } }),
    text: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    accepted: gpt("gpt-4.1"),
  },
  {
    name: "Chat's name of effort",
    refused: gpt("gpt-5", { reasoning_effort: "low" }),
    text: /^Unsupported parameter: 'reasoning_effort'\. In the Responses API, this parameter has moved to 'reasoning\.effort'\./,
    accepted: gpt("gpt-5", { reasoning: { effort: "low" } }),
  },
  {
    name: "a summary of no kind",
    refused: gpt("gpt-5", { reasoning: { summary: "none" } }),
    text: "Invalid value: 'none'. Supported values are: 'concise', 'detailed', and 'auto'.",
    accepted: gpt("gpt-5", { reasoning: { summary: "auto" } }),
  },
  {
    name: "temperature while thinking",
    refused: gpt("gpt-5.1", { temperature: 0.2, reasoning: { effort: "low" } }),
    text: /^Unsupported parameter: 'temperature' is not supported with this model\./,
    accepted: gpt("gpt-5.1", { temperature: 0.2, reasoning: { effort: "none" } }),
  },
  {
    name: "a cap below 16",
    refused: gpt("gpt-5", { max_output_tokens: 1 }),
    text: "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
    accepted: gpt("gpt-5", { max_output_tokens: 16 }),
  },
  {
    name: "P-C5 an id of another kind",
    refused: gpt("gpt-5", items({ ...fc, id: "item_1" }, out)),
    text: "Invalid 'input[1].id': 'item_1'. Expected an ID that begins with 'fc'.",
    accepted: gpt("gpt-5", items(fc, out)),
  },
  {
    name: "a call id that is too long",
    refused: gpt(
      "gpt-5",
      items({ ...fc, call_id: "c".repeat(86) }, { ...out, call_id: "c".repeat(86) }),
    ),
    text: "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 86 instead.",
    accepted: gpt(
      "gpt-5",
      items({ ...fc, call_id: "c".repeat(64) }, { ...out, call_id: "c".repeat(64) }),
    ),
  },
  {
    name: "P-C6 an output without its call",
    refused: gpt("gpt-5", items(out)),
    text: "No tool call found for function call output with call_id call_1.",
    accepted: gpt("gpt-5", items(fc, out)),
  },
  {
    name: "a call without its output",
    refused: gpt("gpt-5", items(fc, { role: "user", content: "Go on" })),
    text: "No tool output found for function call call_1.",
    accepted: gpt("gpt-5", items(fc, out, { role: "user", content: "Go on" })),
  },
  {
    name: "the role of a tool",
    refused: gpt("gpt-5", items({ role: "tool", content: "4" })),
    text: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    accepted: gpt("gpt-5", items({ role: "developer", content: "Be brief." })),
  },
  {
    name: "reasoning without its summary",
    refused: gpt("gpt-5", {
      store: false,
      ...items({ type: "reasoning", encrypted_content: "x" }, fc, out),
    }),
    text: "Missing required parameter: 'input[1].summary'.",
    accepted: gpt("gpt-5", items(fc, out)),
  },
  {
    name: "a change of effort before GPT-6",
    refused: gpt(
      "gpt-5.6-sol",
      items(
        { type: "configuration_update", reasoning: { effort: "high" } },
        { role: "user", content: "Go on" },
      ),
    ),
    text: "The 'configuration_update' item type is not supported with this model.",
    accepted: gpt(
      "gpt-6-sol",
      items(
        { type: "configuration_update", reasoning: { effort: "high" } },
        { role: "user", content: "Go on" },
      ),
    ),
  },
  {
    name: "a stored item that was not stored",
    refused: gpt("gpt-5", { store: false, ...items({ type: "item_reference", id: "rs_1" }) }),
    status: 404,
    text: "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    accepted: gpt("gpt-5", { store: false }),
  },
  {
    name: "a strict function with an open schema",
    refused: gpt("gpt-5", { tools: [looking({ properties: {} })] }),
    text: "Invalid schema for function 'look': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    accepted: gpt("gpt-5", {
      tools: [looking({ properties: {}, required: [], additionalProperties: false })],
    }),
  },
  {
    name: "an unknown model",
    refused: gpt("gpt-none"),
    text: "The requested model 'gpt-none' does not exist.",
    accepted: gpt("gpt-6-sol"),
  },
];

const messages = (...list: readonly JsonObject[]): JsonObject => ({
  messages: [{ role: "user", content: "Hi" }, ...list],
});
const chatTools = {
  tools: [
    { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
  ],
};
const chatCall = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
};

const chat: readonly Probe[] = [
  {
    name: "max_tokens on a reasoning model",
    refused: { model: "o3", ...messages(), max_tokens: 100 },
    text: /^Unsupported parameter: 'max_tokens' is not supported with this model\./,
    accepted: { model: "o3", ...messages(), max_completion_tokens: 100 },
  },
  {
    name: "temperature on gpt-5",
    refused: { model: "gpt-5", ...messages(), temperature: 0.2 },
    text: "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    accepted: { model: "gpt-4.1", ...messages(), temperature: 0.2 },
  },
  {
    name: "tools with effort on gpt-5.6",
    refused: { model: "gpt-5.6-terra", ...messages(), ...chatTools },
    text: "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    accepted: { model: "gpt-5.6-terra", ...messages(), ...chatTools, reasoning_effort: "none" },
  },
  {
    name: "an effort the model does not have",
    refused: { model: "gpt-5.1", ...messages(), reasoning_effort: "minimal" },
    text: /^Unsupported value: 'reasoning_effort' does not support 'minimal' with this model\./,
    accepted: { model: "gpt-5.1", ...messages(), reasoning_effort: "low" },
  },
  {
    name: "a result without its call",
    refused: {
      model: "gpt-4.1",
      ...messages({ role: "tool", tool_call_id: "call_1", content: "4" }),
    },
    text: /role 'tool' must be a response to a preceeding message with 'tool_calls'/,
    accepted: {
      model: "gpt-4.1",
      ...messages(chatCall, { role: "tool", tool_call_id: "call_1", content: "4" }),
    },
  },
  {
    name: "a call without its result",
    refused: { model: "gpt-4.1", ...messages(chatCall, { role: "user", content: "Go on" }) },
    text: /tool_call_ids did not have response messages: call_1/,
    accepted: {
      model: "gpt-4.1",
      ...messages({ role: "assistant", content: "Hello" }, { role: "user", content: "Go on" }),
    },
  },
  {
    name: "a function whose arguments are no object",
    refused: {
      model: "gpt-4.1",
      ...messages(),
      tools: [{ type: "function", function: { name: "f", parameters: { type: "string" } } }],
    },
    text: "Invalid schema for function 'f': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"string\"'.",
    accepted: { model: "gpt-4.1", ...messages(), ...chatTools },
  },
  {
    name: "an unknown model",
    refused: { model: "gpt-none", ...messages() },
    status: 404,
    text: "The model `gpt-none` does not exist or you do not have access to it.",
    accepted: { model: "gpt-4.1", ...messages() },
  },
];

runProbes("responses", responses);
runProbes("chat", chat);
