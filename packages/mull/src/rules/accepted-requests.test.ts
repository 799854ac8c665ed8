import { describe, expect, test } from "vitest";
import type { JsonObject } from "../types/json.ts";
import { lint, repair, type LintRequest } from "./lint.ts";

const user = (text: string): JsonObject => ({ role: "user", parts: [{ text }] });

const geminiChat = (...contents: readonly JsonObject[]): LintRequest => ({
  wire: "google-generate",
  model: "gemini-3.8-flash",
  path: "/v1beta/models/gemini-3.8-flash:streamGenerateContent",
  body: { contents: [user("What time is it in Oslo?"), ...contents] },
});

const signedCall = {
  functionCall: { id: "c1", name: "clock", args: {} },
  thoughtSignature: "EpAICo0I",
};
const clockResult: JsonObject = {
  role: "user",
  parts: [{ functionResponse: { id: "c1", name: "clock", response: { output: "noon" } } }],
};

const claudeCode = (beta: string): LintRequest => ({
  wire: "anthropic-messages",
  headers: { "anthropic-version": "2023-06-01", "anthropic-beta": beta },
  body: {
    model: "claude-opus-5-5",
    max_tokens: 128_000,
    stream: true,
    thinking: { type: "adaptive", display: "omitted" },
    output_config: { effort: "medium" },
    messages: [
      { role: "user", content: "Rename the file." },
      { role: "system", content: "You are in /home.", output_config: { effort: "high" } },
    ],
  },
});

const claudePair = (id: string): readonly [JsonObject, JsonObject] => [
  { role: "assistant", content: [{ type: "tool_use", id, name: "clock", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "noon" }] },
];

/** Seen from clients people use, or recorded with status 200. */
const accepted: readonly (readonly [string, LintRequest])[] = [
  [
    "@google/genai chats: one model content for each chunk of a stream",
    geminiChat(
      { role: "model", parts: [signedCall] },
      { role: "model", parts: [{ text: "" }] },
      clockResult,
    ),
  ],
  [
    "neighbouring model contents that each hold a call",
    geminiChat(
      { role: "model", parts: [signedCall] },
      { role: "model", parts: [{ functionCall: { id: "c2", name: "clock", args: {} } }] },
      {
        role: "user",
        parts: [
          ...(clockResult["parts"] as readonly JsonObject[]),
          { functionResponse: { id: "c2", name: "clock", response: { output: "one" } } },
        ],
      },
    ),
  ],
  [
    "a Gemini part that holds a thought's signature and nothing else",
    geminiChat(
      {
        role: "model",
        parts: [{ thought: true, thoughtSignature: "EpAICo0I" }, { text: "Noon." }],
      },
      user("Thanks."),
    ),
  ],
  [
    "functionCallingConfig AUTO beside googleSearch alone",
    {
      ...geminiChat(),
      body: {
        contents: [user("Hello")],
        tools: [{ googleSearch: {} }],
        toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      },
    },
  ],
  ["Claude Code: effort on a system message", claudeCode("per-turn-control-2026-07-01")],
  [
    "effort on a system message under its documented beta",
    claudeCode("mid-conversation-output-config-2026-07-01"),
  ],
  [
    "one tool id in two pairs of call and result on Anthropic",
    {
      wire: "anthropic-messages",
      body: {
        model: "claude-sonnet-4-5",
        max_tokens: 100,
        messages: [
          { role: "user", content: "What time is it?" },
          ...claudePair("toolu_1"),
          ...claudePair("toolu_1"),
        ],
      },
    },
  ],
  [
    "function_call_output that answers a tool_search_call",
    {
      wire: "openai-responses",
      body: {
        model: "gpt-5.6-sol",
        store: false,
        input: [
          { role: "user", content: "Find me a tool." },
          { type: "tool_search_call", call_id: "call_1", arguments: {}, execution: "client" },
          { type: "function_call_output", call_id: "call_1", output: "none found" },
        ],
      },
    },
  ],
  [
    "stop on o3-mini",
    {
      wire: "openai-chat",
      body: {
        model: "o3-mini",
        stop: ["END"],
        messages: [{ role: "user", content: "Hello" }],
      },
    },
  ],
];

/** Whether a model is still served is another matter. */
const errorsOf = (request: LintRequest): readonly string[] =>
  lint(request)
    .findings.filter(({ severity, answer }) => severity === "error" && answer?.status !== 404)
    .map(({ rule }) => rule);

const calling = (mode: string): JsonObject => ({ functionCallingConfig: { mode } });

describe("lint refuses nothing that a service accepted", () => {
  test.each(accepted)("%s", (_, request) => {
    expect(errorsOf(request)).toEqual([]);
  });

  test.each(accepted)("%s: nothing is there to repair", (_, request) => {
    const { body, repairs } = repair(request);
    expect(repairs).toEqual([]);
    expect(body).toEqual(request.body);
  });
});

describe("what stays refused beside it", () => {
  test("two results for one call in the same turn on Anthropic", () => {
    const [call, result] = claudePair("toolu_1");
    const request: LintRequest = {
      wire: "anthropic-messages",
      body: {
        model: "claude-sonnet-4-5",
        max_tokens: 100,
        messages: [{ role: "user", content: "Hi" }, call, result, result],
      },
    };
    expect(errorsOf(request)).toContain("anthropic/tool-result-twice");
  });

  test("effort on a system message without a beta, and on a model that takes none", () => {
    expect(errorsOf(claudeCode("effort-2025-11-24"))).toEqual(["anthropic/effort-update"]);
    const { body } = claudeCode("");
    const older = { ...claudeCode("per-turn-control-2026-07-01"), body };
    expect(errorsOf({ ...older, model: "claude-opus-4-8" })).toEqual(["anthropic/effort-update"]);
  });

  test("functionCallingConfig ANY beside googleSearch alone, and AUTO beside nothing", () => {
    const contents = [user("Hello")];
    const any = { contents, tools: [{ googleSearch: {} }], toolConfig: calling("ANY") };
    const none = { contents, toolConfig: calling("AUTO") };
    for (const body of [any, none])
      expect(errorsOf({ ...geminiChat(), body })).toEqual(["google/tool-config-without-tools"]);
  });

  test("an empty Gemini part", () => {
    const empty = geminiChat({ role: "model", parts: [{}, { text: "Noon." }] }, user("Thanks."));
    expect(errorsOf(empty)).toEqual(["google/parts-required"]);
  });

  test("stop on o1-mini", () => {
    const body = {
      model: "o1-mini",
      stop: "END",
      messages: [{ role: "user", content: "Hello" }],
    };
    expect(errorsOf({ wire: "openai-chat", body })).toContain("openai-chat/stop");
  });
});

const replay = (signature: string): LintRequest => ({
  wire: "anthropic-messages",
  body: {
    model: "claude-opus-5-5",
    max_tokens: 100,
    messages: [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature },
          { type: "text", text: "Hello." },
        ],
      },
      { role: "user", content: "And now?" },
    ],
  },
});

describe("a Claude signature of the wrong shape", () => {
  test.each([
    ["OpenAI's blob", "gAAAAABpQ2x1ZGVkSGVyZQ=="],
    ["Gemini's skip word", "skip_thought_signature_validator"],
    ["words", "not base64!"],
  ])("%s is named, and the repair leaves the thought out", (_, signature) => {
    expect(errorsOf(replay(signature))).toEqual(["anthropic/signature"]);
    const { ok, body } = repair(replay(signature));
    expect(ok).toBe(true);
    expect(JSON.stringify(body)).not.toContain("thinking");
    expect(JSON.stringify(body)).toContain("Hello.");
  });

  test.each(["EqQBCkYIBRgCKkD=", "ErUBCkYIBhgCIkA+/w=="])("%s passes", (signature) => {
    expect(errorsOf(replay(signature))).toEqual([]);
  });
});
