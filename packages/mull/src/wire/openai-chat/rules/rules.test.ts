import { describe, expect, it } from "vitest";
import type { SealVerdict } from "../../../types/rule.ts";
import { plain } from "../testing/models.ts";
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

const cases: readonly RuleCase[] = [
  ["model", plain, { model: "" }, "model", "you must provide a model parameter"],
  ["model", at("azure"), { model: undefined }, null],
  [
    "served-model",
    { ...plain, status: "retired" },
    {},
    "model",
    "The model `gpt-4.1` does not exist",
  ],
  [
    "messages",
    plain,
    { messages: undefined },
    "messages",
    "Missing required parameter: 'messages'.",
  ],
  ["messages", plain, { messages: 7 }, "messages", "got an integer instead"],
  ["messages", plain, { messages: 0.5 }, "messages", "got a decimal instead"],
  ["messages", plain, { messages: null }, "messages", "got null instead"],
  ["messages", plain, { messages: [] }, "messages", "minimum length 1"],
  [
    "role",
    plain,
    { messages: [{ role: "boss", content: "x" }] },
    "messages[0].role",
    "Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
  ],
  ["role", plain, { messages: "x" }, null],
  ["role", plain, { messages: [{ content: "x" }] }, "messages[0].role", "Missing required"],
  [
    "content",
    plain,
    { messages: [{ role: "user", content: { a: 1 } }] },
    "messages[0].content",
    "got an object instead",
  ],
  [
    "content",
    plain,
    { messages: [{ role: "user", content: ["x"] }] },
    "messages[0].content[0]",
    "got a string instead",
  ],
  [
    "content",
    plain,
    { messages: [{ role: "user", content: null }] },
    "messages[0].content",
    "expected a string, got null",
  ],
  [
    "content",
    plain,
    {
      messages: [
        { role: "assistant", content: null, tool_calls: [] },
        { role: "user", content: [{}] },
      ],
    },
    null,
  ],
  [
    "content-part",
    plain,
    { messages: [{ role: "user", content: [{ type: "video" }, "x"] }] },
    "messages[0].content[0].type",
    "'text', 'image_url'",
  ],
  [
    "content-part",
    at("mistral"),
    { messages: [{ role: "user", content: [{ type: "video" }] }] },
    null,
  ],
  [
    "file",
    plain,
    { messages: [{ role: "user", content: [{ type: "file", file: { file_data: "x" } }] }] },
    "messages[0].content[0].file.file_id",
    "Missing required parameter",
  ],
  [
    "file",
    plain,
    {
      messages: [
        { role: "user", content: [{ type: "file", file: { file_id: "f" } }, { type: "text" }] },
      ],
    },
    null,
  ],
  ["file", at("mistral"), {}, null],
  [
    "content-part",
    plain,
    { messages: [{ role: "user", content: [{ type: "text", text: "x" }] }] },
    null,
  ],
  ["numbers", plain, { temperature: "hot" }, "temperature", "expected a decimal, but got a string"],
  ["numbers", plain, { max_tokens: [] }, "max_tokens", "expected an integer, but got an array"],
  [
    "numbers",
    plain,
    { temperature: 3 },
    "temperature",
    "Expected a value <= 2, but got 3 instead.",
  ],
  [
    "numbers",
    plain,
    { max_tokens: 0 },
    "max_tokens",
    "integer below minimum value. Expected a value >= 1",
  ],
  ["numbers", plain, { temperature: null, top_p: 1 }, null],
  ["numbers", plain, { n: 130 }, "n", "Expected a value <= 128, but got 130 instead."],
  ["numbers", plain, { n: 1.5 }, "n", "expected an integer, but got a decimal number instead."],
  ["numbers", at("vllm"), { n: 130 }, null],
  ["numbers", plain, { frequency_penalty: 3 }, "frequency_penalty", "Expected a value <= 2, but"],
  ["numbers", plain, { seed: "x" }, "seed", "expected an integer, but got a string instead."],
  ["numbers", plain, { seed: 42, presence_penalty: -2 }, null],
  ["numbers", plain, { top_logprobs: 21 }, "top_logprobs", "Expected a value <= 20, but got 21"],
  [
    "tool-name",
    plain,
    { tools: [{ function: { name: "a b" } }, {}] },
    "tools[0].function.name",
    "does not match pattern",
  ],
  [
    "schema-items",
    plain,
    { tools: [{ function: { name: "f", parameters: { properties: { a: { type: "array" } } } } }] },
    "tools[0].function.parameters",
    "In context=('properties', 'a'), array schema missing items.",
  ],
  [
    "call-name",
    plain,
    {
      messages: [
        { role: "assistant", tool_calls: [{ id: "c", function: { name: "a".repeat(65) } }] },
      ],
    },
    "messages[0].tool_calls[0].function.name",
    "maximum length 64, but got a string with length 65",
  ],
  [
    "tool-choice",
    plain,
    { tool_choice: "auto" },
    "tool_choice",
    "only allowed when 'tools' are specified",
  ],
  ["tool-choice", plain, { tool_choice: "auto", tools }, null],
  [
    "orphan-result",
    plain,
    { messages: [user, { role: "tool", tool_call_id: "c", content: "3" }] },
    "messages[1].role",
    "must be a response to a preceeding message",
  ],
  [
    "open-call",
    plain,
    {
      messages: [
        { role: "assistant", tool_calls: [call("a"), call("b")] },
        { role: "tool", tool_call_id: "a", content: "" },
        user,
      ],
    },
    "messages[0].tool_calls",
    "did not have response messages: b",
  ],
  [
    "open-call",
    plain,
    { messages: [{ role: "assistant", tool_calls: [call("a")] }] },
    "messages[0].tool_calls",
    ": a",
  ],
  [
    "call-id",
    plain,
    {
      messages: [
        { role: "assistant", tool_calls: [call("c".repeat(41))] },
        { role: "tool", tool_call_id: "c".repeat(41), content: "" },
      ],
    },
    "messages[0].tool_calls[0].id",
    "maximum length 40",
  ],
  ["call-id", at("mistral"), { messages: [{ role: "tool", tool_call_id: "c".repeat(41) }] }, null],
];

describe("rules of structure and pairing", () => {
  it("P-J2 each finds what the service refuses, where and in its words, and nothing else", () => {
    expect(wronglyFound(cases)).toEqual([]);
  });

  it("a repair leaves nothing of its rule to find, and touches nothing given", () => {
    expect(wronglyRepaired(cases)).toEqual([]);
  });

  it("P-C6 repairs keep calls and results together", () => {
    const long = ["a", "b"].map((end) => "x".repeat(41) + end).concat("short");
    const messages = [
      { role: "assistant", tool_calls: long.map(call) },
      ...long.map((id) => ({ role: "tool", tool_call_id: id, content: "" })),
    ];
    const repaired = ruleOf("call-id").repair?.(inputOf(plain, { messages })) ?? {};
    expect(ruleOf("open-call").check(inputOf(plain, repaired))).toEqual([]);
    expect(ruleOf("orphan-result").check(inputOf(plain, repaired))).toEqual([]);
    const ids = JSON.stringify(repaired).match(/"(x[^"]*)"/g) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(JSON.stringify(repaired)).toContain('"short"');
  });

  it("P-C6 results that came late move behind their calls, up to the next answer", () => {
    const late = { role: "tool", tool_call_id: "a", content: "3" };
    const [calls, answer] = [
      { role: "assistant", tool_calls: [call("a")] },
      { role: "assistant", content: "3" },
    ];
    const input = inputOf(plain, { messages: [calls, user, late, answer, user] });
    expect(ruleOf("open-call").repair?.(input)["messages"]).toEqual([
      calls,
      late,
      user,
      answer,
      user,
    ]);
  });

  it("P-C6 pictures of a result that answers no call stay pictures", () => {
    const image = { type: "image_url", image_url: { url: "https://example.test/a.png" } };
    const content = [{ type: "text", text: "3" }, image];
    const orphan = { role: "tool", tool_call_id: "c", content };
    const repaired = ruleOf("orphan-result").repair?.(inputOf(plain, { messages: [orphan] }));
    const text = 'The tool of call c returned:\n"""\n3\n"""';
    expect(repaired?.["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text }, image] },
    ]);
  });

  it("P-A2 seals are asked about, where somebody can answer", () => {
    const google = { google: { thought_signature: "G" } };
    const messages = [
      {
        role: "assistant",
        content: "a",
        reasoning_details: [
          { type: "reasoning.text", signature: "S" },
          { type: "reasoning.encrypted", data: "D" },
          {},
          7,
        ],
        tool_calls: [{ ...call("c"), extra_content: google }],
        extra_content: google,
      },
    ];
    const pathsFor = (verdict: SealVerdict): readonly string[] =>
      ruleOf("seal")
        .check({ ...inputOf(plain, { messages }), verifySeal: () => verdict })
        .map(({ path }) => path);
    const all = [
      "messages[0].reasoning_details[0]",
      "messages[0].reasoning_details[1]",
      "messages[0].tool_calls[0].extra_content.google.thought_signature",
      "messages[0].extra_content.google.thought_signature",
    ];
    expect([
      pathsFor("ok"),
      pathsFor("unknown"),
      pathsFor("invalid"),
      pathsFor("foreign-prefix"),
    ]).toEqual([[], [], all, all]);
    expect(ruleOf("seal").check(inputOf(plain, { messages }))).toEqual([]);
  });
});
