import { describe, expect, it } from "vitest";
import { plain } from "../testing/models.ts";
import {
  at,
  inputOf,
  ruleOf,
  tools,
  wronglyFound,
  wronglyRepaired,
  type RuleCase,
} from "../testing/rule-cases.ts";

const capped = { ...plain, outputCap: 16_384 };
const picture = (image_url: unknown): { messages: never[] } =>
  ({ messages: [{ role: "user", content: [{ type: "image_url", image_url }, 1] }] }) as never;

const cases: readonly RuleCase[] = [
  [
    "parallel-calls",
    plain,
    { parallel_tool_calls: true },
    "parallel_tool_calls",
    "'parallel_tool_calls' is only allowed when 'tools' are specified.",
  ],
  ["parallel-calls", plain, { parallel_tool_calls: true, tools }, null],
  ["parallel-calls", at("mistral"), { parallel_tool_calls: true }, null],
  ["switches", plain, { logprobs: 2 }, "logprobs", "expected a boolean, but got an integer"],
  ["switches", plain, { stream: null, store: true }, null],
  [
    "field-types",
    plain,
    { stop: ["a", 5] },
    "stop",
    "expected one of an array of strings or string",
  ],
  ["field-types", plain, { stop: "a", tools: null }, null],
  ["field-types", plain, { tools: {} }, "tools", "expected an array of objects, but got an object"],
  [
    "field-types",
    plain,
    { messages: [5] },
    "messages[0]",
    "expected an object, but got an integer",
  ],
  ["switches", at("mistral"), { stream: "yes" }, null],
  ["foreign-field", plain, { thinking: {} }, "thinking", "argument supplied: thinking"],
  ["foreign-field", plain, { top_k: 4, banana: "x" }, "top_k", "arguments supplied: top_k, banana"],
  ["foreign-field", at("mistral"), { top_k: 4 }, null],
  ["foreign-field", at("azure"), { data_sources: [] }, null],
  [
    "unknown-name",
    plain,
    { messages: [{ role: "user", content: "Hi", banana: 1 }] },
    "messages[0].banana",
    "Unknown parameter: 'messages[0].banana'.",
  ],
  [
    "unknown-name",
    plain,
    { messages: [{ role: "user", content: [{ type: "text", text: "Hi", cache_control: {} }] }] },
    "messages[0].content[0].cache_control",
    "Unknown parameter: 'messages[0].content[0].cache_control'.",
  ],
  [
    "unknown-type",
    plain,
    { tools: [{ type: "web_search" }] },
    "tools[0].type",
    "Invalid value: 'web_search'. Supported values are: 'custom' and 'function'.",
  ],
  ["unknown-name", at("mistral"), { messages: [{ role: "user", content: "Hi", x: 1 }] }, null],
  ["foreign-field", plain, { temperature: 1 }, null],
  [
    "tool-list",
    plain,
    { tools: [] },
    "tools",
    "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ],
  [
    "tool-list",
    plain,
    { tools: [{ type: "function", name: "f" }] },
    "tools[0].function",
    "Missing required parameter: 'tools[0].function'.",
  ],
  ["tool-list", plain, { tools }, null],
  ["tool-list", at("mistral"), { tools: [] }, null],
  [
    "response-format",
    plain,
    { response_format: { type: "json" } },
    "response_format.type",
    "Invalid value: 'json'. Supported values are: 'json_object', 'json_schema', and 'text'.",
  ],
  [
    "response-format",
    plain,
    { response_format: { type: "json_object" } },
    "messages",
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  ],
  [
    "response-format",
    plain,
    {
      response_format: { type: "json_object" },
      messages: [{ role: "user", content: [{ type: "text", text: "As JSON, please" }] }],
    },
    null,
  ],
  [
    "response-format",
    plain,
    { response_format: { type: "json_schema", json_schema: { schema: {} } } },
    "response_format.json_schema.name",
    "Missing required parameter: 'response_format.json_schema.name'.",
  ],
  [
    "response-format",
    plain,
    { response_format: { type: "json_schema" } },
    "response_format.json_schema",
    "Missing required parameter",
  ],
  ["response-format", plain, { response_format: { type: "text" } }, null],
  [
    "response-format",
    plain,
    { response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } } },
    null,
  ],
  [
    "response-format",
    plain,
    { response_format: { type: "json_object" }, messages: [{ role: "assistant" }] },
    "messages",
    "'messages' must contain the word 'json'",
  ],
  ["unknown-type", plain, { tools: [{ function: {} }] }, "tools[0].type", "Invalid value: ''."],
  [
    "stop-count",
    plain,
    { stop: ["a", "b", "c", "d", "e"] },
    "stop",
    "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
  ],
  ["stop-count", plain, { stop: ["a", "b", "c", "d"] }, null],
  [
    "stream-options",
    plain,
    { stream: false, stream_options: { include_usage: true } },
    "stream_options",
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  ],
  ["stream-options", plain, { stream: true, stream_options: {} }, null],
  [
    "output-cap",
    capped,
    { max_tokens: 32_000 },
    "max_tokens",
    "max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.",
  ],
  ["output-cap", capped, { max_tokens: 16_384 }, null],
  ["output-cap", { ...capped, assumed: true }, { max_tokens: 32_000 }, null],
  [
    "image-url",
    plain,
    picture("https://example.test/a.png"),
    "messages[0].content[0].image_url",
    "expected an object, but got a string instead.",
  ],
  ["image-url", plain, picture({ url: "https://example.test/a.png" }), null],
];

describe("rules of what OpenAI is asked", () => {
  it("no repair leaves out what somebody said, or one stop sequence", () => {
    const input = inputOf(plain, { system: "Be brief.", top_k: 4, stop: "." });
    expect(ruleOf("foreign-field").repair?.(input)).toEqual({
      ...inputOf(plain, { system: "Be brief.", stop: "." }).body,
    });
    expect(ruleOf("stop-count").repair?.(input)).toEqual(input.body);
  });

  it("P-J2 each finds what the service refuses, where and in its words, and nothing else", () => {
    expect(wronglyFound(cases)).toEqual([]);
  });

  it("a repair leaves nothing of its rule to find, and touches nothing given", () => {
    expect(wronglyRepaired(cases)).toEqual([]);
  });
});
