import { describe, expect, it } from "vitest";
import type { JsonObject } from "mull";

import { emulate } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";

const weather = { name: "get_weather", input_schema: { type: "object", properties: {} } };
const loop = (first: readonly JsonObject[]): JsonObject => ({
  messages: [
    { role: "user", content: "Weather in Oslo?" },
    {
      role: "assistant",
      content: [...first, { type: "tool_use", id: "toolu_1", name: "get_weather", input: {} }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "4" }] },
  ],
  tools: [weather],
});
const hello: JsonObject = { messages: [{ role: "user", content: "Hi" }] };
const budget = (tokens: number): JsonObject => ({
  thinking: { type: "enabled", budget_tokens: tokens },
});
const sonnet: JsonObject = { model: "claude-sonnet-4-5", max_tokens: 4096 };
const forged = { type: "thinking", thinking: "Hm.", signature: "EqQBCkYIARgCKkAforged" };

const broken: readonly (readonly [
  string,
  WireName,
  JsonObject,
  { readonly status: number; readonly text: RegExp },
])[] = [
  [
    "tool loop without leading thinking, budget",
    "anthropic",
    { ...sonnet, ...budget(2048), ...loop([]) },
    {
      status: 400,
      text: /messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    },
  ],
  [
    "forged signature",
    "anthropic",
    { ...sonnet, ...budget(2048), ...loop([forged]) },
    { status: 400, text: /messages\.1\.content\.0: Invalid `signature` in `thinking` block/ },
  ],
  [
    "budget not below max_tokens",
    "anthropic",
    { ...sonnet, ...budget(4096), ...hello },
    { status: 400, text: /`max_tokens` must be greater than `thinking\.budget_tokens`/ },
  ],
  [
    "budget below 1,024",
    "anthropic",
    { ...sonnet, ...budget(512), ...hello },
    { status: 400, text: /budget_tokens: Input should be greater than or equal to 1024/ },
  ],
  [
    "temperature with thinking",
    "anthropic",
    { ...sonnet, ...budget(2048), ...hello, temperature: 0.2 },
    { status: 400, text: /`temperature` may only be set to 1 when thinking is enabled/ },
  ],
  [
    "forced tool choice with thinking",
    "anthropic",
    { ...sonnet, ...budget(2048), ...hello, tools: [weather], tool_choice: { type: "any" } },
    { status: 400, text: /Thinking may not be enabled when tool_choice forces tool use/ },
  ],
  [
    "orphan tool_use",
    "anthropic",
    {
      ...sonnet,
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: {} }],
        },
        { role: "user", content: "Never mind" },
      ],
      tools: [weather],
    },
    {
      status: 400,
      text: /`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1/,
    },
  ],
  [
    "budget on Opus 4.8",
    "anthropic",
    { model: "claude-opus-4-8", max_tokens: 4096, ...budget(2048), ...hello },
    { status: 400, text: /"thinking\.type\.enabled" is not supported for this model/ },
  ],
  [
    "Gemini 3 call without thought signature",
    "google",
    {
      model: "gemini-3.8-flash",
      contents: [
        { role: "user", parts: [{ text: "Weather?" }] },
        { role: "model", parts: [{ functionCall: { name: "get_weather", args: {} } }] },
        { role: "user", parts: [{ functionResponse: { name: "get_weather", response: {} } }] },
      ],
      tools: [{ functionDeclarations: [{ name: "get_weather" }] }],
    },
    { status: 400, text: /Function call is missing a thought_signature in functionCall parts/ },
  ],
  [
    "Gemini 2.5 Pro budget 0",
    "google",
    {
      model: "gemini-2.5-pro",
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    },
    { status: 400, text: /Budget 0 is invalid\. This model only works in thinking mode/ },
  ],
  [
    "reasoning item without follower",
    "responses",
    {
      model: "gpt-5",
      input: [
        { role: "user", content: "Hi" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAAAforged" },
        { role: "user", content: "Go on" },
      ],
    },
    {
      status: 400,
      text: /Item 'rs_1' of type 'reasoning' was provided without its required following item/,
    },
  ],
  [
    "function output without call",
    "responses",
    {
      model: "gpt-5",
      input: [
        { role: "user", content: "Hi" },
        { type: "function_call_output", call_id: "call_1", output: "4" },
      ],
    },
    { status: 400, text: /No tool call found for function call output with call_id call_1/ },
  ],
  [
    "xhigh on gpt-5",
    "responses",
    { model: "gpt-5", input: "Hi", reasoning: { effort: "xhigh" } },
    { status: 400, text: /Unsupported value: 'xhigh' is not supported with the 'gpt-5' model/ },
  ],
  [
    "forged encrypted content",
    "responses",
    {
      model: "gpt-5",
      store: false,
      input: [
        { role: "user", content: "Hi" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAAAforged" },
        { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "4" },
      ],
    },
    { status: 400, text: /The encrypted content .*could not be verified/ },
  ],
];

describe("P-J2 the fifteen broken requests", () => {
  it.each(broken)("%s is refused", async (_, wire, body, expected) => {
    const emulator = emulate();
    const { status, message } = await ask(emulator, wire, body);
    expect({ status, message }).toEqual({
      status: expected.status,
      message: expect.stringMatching(expected.text),
    });
    expect(emulator.journal()[0]).toMatchObject({ verdict: "refused", rule: expect.any(String) });
  });

  it("the debatable one, adaptive without leading thinking, is answered with a warning", async () => {
    const emulator = emulate();
    const { status } = await ask(emulator, "anthropic", {
      model: "claude-opus-5-5",
      max_tokens: 4096,
      thinking: { type: "adaptive" },
      ...loop([]),
    });
    expect(status).toBe(200);
    expect(emulator.journal()[0]?.warnings?.[0]).toContain("anthropic/leading-thinking-lost");
  });
});
