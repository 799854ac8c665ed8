import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import { answer, type Case, items, judge, long, thought, wanted } from "../testing/rule-case.ts";

const cases: readonly Case[] = [
  {
    rule: "openai/unknown-type",
    body: items({ banana: 1 }),
    path: "input[0].type",
    message: "Invalid value: ''. Supported values are: 'additional_tools', 'agent_message',",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/unknown-type",
    body: { tools: [{ type: "banana" }] },
    path: "tools[0].type",
    message: "Invalid value: 'banana'. Supported values are: 'apply_patch', 'code_interpreter',",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/unknown-type",
    body: items({ role: "user", content: [{ type: "input_video" }] }),
    path: "input[0].content[0].type",
    message: "Invalid value: 'input_video'. Supported values are: 'computer_screenshot',",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/unknown-name",
    body: { banana: 1 },
    path: "banana",
    message: "Unknown parameter: 'banana'.",
    code: "unknown_parameter",
  },
  {
    rule: "openai/unknown-name",
    body: items({ role: "user", content: [{ type: "input_text", text: "Hi", cache_control: 1 }] }),
    path: "input[0].content[0].cache_control",
    message: "Unknown parameter: 'input[0].content[0].cache_control'.",
    code: "unknown_parameter",
  },
  {
    rule: "openai/request-shape",
    body: { model: undefined },
    path: "model",
    message: "Missing required parameter: 'model'.",
    code: "missing_required_parameter",
    stays: true,
  },
  {
    rule: "openai/field-types",
    body: { max_output_tokens: 20.5, input: [5], top_p: 1 },
    path: "max_output_tokens",
    message:
      "Invalid type for 'max_output_tokens': expected an integer, but got a decimal instead.",
    code: "invalid_type",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { model: 5 },
    path: "model",
    message: "Invalid type for 'model': expected a string, but got an integer instead.",
    code: "invalid_type",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { model: 5.5 },
    path: "model",
    message: "Invalid type for 'model': expected a string, but got a decimal instead.",
    code: "invalid_type",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { model: ["x"] },
    path: "model",
    message: "Invalid type for 'model': expected a string, but got an array instead.",
    code: "invalid_type",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { input: undefined },
    path: "input",
    message: "Missing required parameter: 'input'.",
    code: "missing_required_parameter",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { input: [] },
    path: "input",
    message: `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`,
    code: "missing_required_parameter",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { input: true },
    path: "input",
    message:
      "Invalid type for 'input': expected one of an array of objects or string, but got a boolean instead.",
    code: "invalid_type",
    stays: true,
  },
  {
    rule: "openai/request-shape",
    body: { input: {} },
    path: "input",
    message:
      "Invalid type for 'input': expected one of an array of objects or string, but got an object instead.",
    code: "invalid_type",
    stays: true,
  },
  {
    rule: "openai/model-served",
    model: "o3-mini",
    body: {},
    path: "model",
    message: "Model not found o3-mini",
    status: 404,
    severity: "warning",
    stays: true,
  },
  {
    rule: "openai/chat-parameters",
    body: { reasoning_effort: "low", max_tokens: 20 },
    path: "reasoning_effort",
    message:
      "Unsupported parameter: 'reasoning_effort'. In the Responses API, this parameter has moved to 'reasoning.effort'.",
    code: "unsupported_parameter",
  },
  {
    rule: "openai/chat-parameters",
    body: { stop: ["x"] },
    path: "stop",
    message: "Unknown parameter: 'stop'.",
    code: "unknown_parameter",
  },
  {
    rule: "openai/message-role",
    body: items({ role: "tool", content: "x" }),
    path: "input[0].role",
    message:
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/message-role",
    body: items({ role: "user", content: [{ type: "text", text: "x" }] }),
    path: "input[0].content[0].type",
    message:
      "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'.",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/message-role",
    body: items({ role: "assistant", content: [{}, { type: "input_text", text: "x" }] }),
    path: "input[0].content[1].type",
    message: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/item-fields",
    body: items({ ...thought, summary: undefined }, answer),
    path: "input[0].summary",
    message: "Missing required parameter: 'input[0].summary'.",
    code: "missing_required_parameter",
  },
  {
    rule: "openai/reasoning-status",
    body: items({ ...thought, status: "completed" }, answer),
    path: "input[0].status",
    message: "Unknown parameter: 'input[0].status'.",
    code: "unknown_parameter",
  },
  {
    rule: "openai/tools",
    body: { tools: [{ type: "function", function: { name: "f" } }] },
    path: "tools[0].name",
    message: "Missing required parameter: 'tools[0].name'.",
    code: "missing_required_parameter",
    stays: true,
  },
  {
    rule: "openai/tools",
    body: { tools: [{ type: "web_search" }, { type: "function", name: "a b" }] },
    path: "tools[1].name",
    message:
      "Invalid 'tools[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    code: "invalid_value",
    stays: true,
  },
  {
    rule: "openai/tools",
    body: { tools: [{ type: "function", name: long }] },
    path: "tools[0].name",
    message:
      "Invalid 'tools[0].name': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
    code: "string_above_max_length",
    stays: true,
  },
  {
    rule: "openai/tools",
    body: { tools: [{ type: "file_search" }] },
    path: "tools[0].vector_store_ids",
    message: "Missing required parameter: 'tools[0].vector_store_ids'.",
    code: "missing_required_parameter",
    stays: true,
  },
  {
    rule: "openai/tools",
    body: {
      tools: [{ type: "function", name: "f" }],
      tool_choice: { type: "function", name: "g" },
    },
    path: "tool_choice",
    message: "Tool choice 'g' not found in 'tools' parameter.",
    stays: true,
  },
  {
    rule: "openai/output-format",
    body: { text: { format: { type: "json_schema", schema: {} } } },
    path: "text.format.name",
    message: "Missing required parameter: 'text.format.name'.",
    code: "missing_required_parameter",
    stays: true,
  },
];

describe("rules of structure", () => {
  it.each(cases)("$rule: $message", (each) => {
    expect(judge(each, findModel)).toEqual(wanted(each));
  });
});
