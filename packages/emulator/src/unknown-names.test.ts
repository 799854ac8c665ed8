import type { JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";

const ask = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: JsonObject,
): Promise<{ readonly status: number; readonly error: JsonObject }> => {
  const response = await emulate()(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { readonly error?: JsonObject | null };
  return { status: response.status, error: error ?? {} };
};

const anthropic = (body: JsonObject, beta = ""): ReturnType<typeof ask> =>
  ask(
    "https://api.anthropic.com/v1/messages",
    {
      "x-api-key": "emulated",
      "anthropic-version": "2023-06-01",
      ...(beta !== "" && { "anthropic-beta": beta }),
    },
    { model: "claude-opus-5", max_tokens: 1000, messages: [said("Hi")], ...body },
  );
const responses = (body: JsonObject): ReturnType<typeof ask> =>
  ask(
    "https://api.openai.com/v1/responses",
    { authorization: "Bearer emulated" },
    { model: "gpt-6-sol", input: [said("Hi")], ...body },
  );
const chat = (body: JsonObject): ReturnType<typeof ask> =>
  ask(
    "https://api.openai.com/v1/chat/completions",
    { authorization: "Bearer emulated" },
    { model: "gpt-5.5", messages: [said("Hi")], ...body },
  );
const google = (body: JsonObject): ReturnType<typeof ask> =>
  ask(
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent",
    { "x-goog-api-key": "emulated" },
    { contents: [{ role: "user", parts: [{ text: "Hi" }] }], ...body },
  );

const said = (content: string): JsonObject => ({ role: "user", content });
const banana = { banana: 1 };

describe("P-J1 what a service does not know is refused in its own words", () => {
  it("Anthropic: fields, blocks and tools", async () => {
    const refusals = [
      await anthropic(banana),
      await anthropic({ messages: [{ ...said("Hi"), foo: 1 }] }),
      await anthropic({ messages: [{ role: "user", content: [{ type: "banana" }] }] }),
      await anthropic({ tools: [{ type: "banana_20260101", name: "b" }] }),
      await anthropic(banana, "interleaved-thinking-2025-05-14"),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(refusals.map(({ error }) => error["message"])).toEqual([
      "banana: Extra inputs are not permitted",
      "messages.0.foo: Extra inputs are not permitted",
      expect.stringMatching(
        /^messages\.0\.content\.0: Input tag 'banana' found using 'type' does not match any of the expected tags: '/,
      ),
      expect.stringMatching(/^tools\.0: Input tag 'banana_20260101' found using 'type'/),
      "banana: Extra inputs are not permitted",
    ]);
  });

  it("OpenAI's Responses: fields, items, content and tools", async () => {
    const item = await responses({ input: [banana] });
    expect(item.status).toBe(400);
    expect(item.error).toMatchObject({
      message: expect.stringMatching(
        /^Invalid value: ''\. Supported values are: 'additional_tools'/,
      ),
      type: "invalid_request_error",
      param: "input[0]",
      code: "invalid_value",
    });
    expect((await responses(banana)).error).toEqual({
      message: "Unknown parameter: 'banana'.",
      type: "invalid_request_error",
      param: "banana",
      code: "unknown_parameter",
    });
    const field = await responses({ input: [{ ...said("Hi"), ...banana }] });
    expect(field.error["message"]).toBe("Unknown parameter: 'input[0].banana'.");
    const tool = await responses({ tools: [{ type: "banana" }] });
    expect(tool.error["message"]).toMatch(/^Invalid value: 'banana'\. Supported values are: 'app/);
  });

  it("OpenAI's Chat Completions: fields, messages, parts and tools", async () => {
    expect((await chat(banana)).error).toEqual({
      message: "Unrecognized request argument supplied: banana",
      type: "invalid_request_error",
      param: null,
      code: null,
    });
    const field = await chat({ messages: [{ ...said("Hi"), ...banana }] });
    expect(field.error["message"]).toBe("Unknown parameter: 'messages[0].banana'.");
    const tool = await chat({ tools: [{ type: "banana" }] });
    expect(tool.error["message"]).toBe(
      "Invalid value: 'banana'. Supported values are: 'custom' and 'function'.",
    );
  });

  it("Google: fields, parts and tools", async () => {
    const part = await google({ contents: [{ role: "user", parts: [{ text: "Hi", ...banana }] }] });
    expect(part.error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message:
        "Invalid JSON payload received. Unknown name \"banana\" at 'contents[0].parts[0]': Cannot find field.",
    });
    const tool = await google({ tools: [banana] });
    expect(tool.error["message"]).toBe(
      "Invalid JSON payload received. Unknown name \"banana\" at 'tools[0]': Cannot find field.",
    );
    expect((await google(banana)).status).toBe(400);
  });
});

describe("P-J1 what real clients send is taken", () => {
  it("Claude Code: a system message with its own effort, deferred tools, cleared thinking", async () => {
    const betas =
      "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,per-turn-control-2026-07-01,mid-conversation-tool-changes-2026-07-01,thinking-token-count-2026-05-13,advanced-tool-use-2025-11-20,effort-2025-11-24";
    const { status, error } = await anthropic(
      {
        thinking: { type: "adaptive", display: "omitted" },
        output_config: { effort: "medium" },
        context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
        metadata: { user_id: "{}" },
        tools: [{ name: "f", input_schema: { type: "object" }, defer_loading: true }],
        messages: [
          said("Hi"),
          { role: "system", content: "Be brief.", output_config: { effort: "low" } },
        ],
      },
      betas,
    );
    expect({ status, error }).toEqual({ status: 200, error: {} });
  });

  it("Codex: tools inside the input, its metadata, a session", async () => {
    const passthrough = { internal_chat_message_metadata_passthrough: { turn: "1" } };
    const exec = { type: "custom", name: "exec", description: "Runs.", format: { type: "text" } };
    const { status, error } = await responses({
      store: false,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "s1",
      client_metadata: { session: "s1" },
      parallel_tool_calls: false,
      reasoning: { effort: "low", summary: "auto", context: "all_turns" },
      input: [
        {
          type: "additional_tools",
          role: "developer",
          tools: [{ type: "namespace", name: "n", description: "d", tools: [exec] }],
        },
        {
          type: "message",
          role: "developer",
          id: "msg_1",
          content: [{ type: "input_text", text: "Be terse." }],
          ...passthrough,
        },
        {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "Hi" }],
          ...passthrough,
        },
      ],
    });
    expect({ status, error }).toEqual({ status: 200, error: {} });
  });

  it("compatible hosts take fields of their own", async () => {
    const { status } = await ask(
      "https://api.mistral.ai/v1/chat/completions",
      { authorization: "Bearer emulated" },
      { model: "mistral-medium-latest", messages: [{ ...said("Hi"), prefix: false }], banana: 1 },
    );
    expect(status).toBe(200);
  });
});
