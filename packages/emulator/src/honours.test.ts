import type { JsonObject, JsonValue } from "mull";
import { describe, expect, it } from "vitest";

import { emulate, type Emulator } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";
import { readToEnd } from "./testing/wires.ts";

const cities = "What is the weather in Oslo and in Paris?";
const schema = (field: string): JsonObject => ({
  type: "object",
  properties: { [field]: { type: "string" } },
  required: [field],
});

const declared = [
  { name: "get_weather", description: "The weather", parameters: schema("city") },
  { name: "look_up", description: "Looks up", parameters: schema("q") },
];

const bodies: Readonly<Record<WireName, JsonObject>> = {
  anthropic: {
    model: "claude-sonnet-4-5",
    max_tokens: 3000,
    messages: [{ role: "user", content: cities }],
    tools: declared.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  },
  responses: {
    model: "gpt-6-sol",
    input: cities,
    tools: declared.map((tool) => ({ type: "function", strict: false, ...tool })),
  },
  chat: {
    model: "gpt-5.1",
    messages: [{ role: "user", content: cities }],
    tools: declared.map((tool) => ({ type: "function", function: tool })),
  },
  google: {
    model: "gemini-3.8-flash",
    contents: [{ role: "user", parts: [{ text: cities }] }],
    tools: [{ functionDeclarations: declared }],
  },
};

/** The names of the tools an answer calls; what the answer repeats of the request does not count. */
const callsIn = ({ content, output, choices, candidates }: JsonObject): readonly string[] =>
  [
    ...JSON.stringify([content, output, choices, candidates] as JsonValue).matchAll(
      /"name":"(\w+)"/g,
    ),
  ].map((match) => match[1] ?? "");

const answerTo = async (
  wire: WireName,
  more: JsonObject,
  emulator: Emulator = emulate(),
): Promise<JsonObject> => {
  const { status, message, body } = await ask(emulator, wire, { ...bodies[wire], ...more });
  expect([status, message]).toEqual([200, ""]);
  return body;
};

const calledBy = async (wire: WireName, more: JsonObject): Promise<readonly string[]> =>
  callsIn(await answerTo(wire, more));

const calling = (config: JsonObject): JsonObject => ({
  toolConfig: { functionCallingConfig: config },
});

const allowed = (mode: string): JsonObject => ({
  mode,
  tools: [{ type: "function", name: "look_up" }],
});

const allowedOnChat = (mode: string): JsonObject => ({
  mode,
  tools: [{ type: "function", function: { name: "look_up" } }],
});

describe("P-J1 tool choices are honoured", () => {
  it.each<readonly [WireName, string, JsonObject, readonly string[]]>([
    ["anthropic", "nothing", { tool_choice: { type: "none" } }, []],
    ["responses", "nothing", { tool_choice: "none" }, []],
    ["chat", "nothing", { tool_choice: "none" }, []],
    ["google", "nothing", calling({ mode: "NONE" }), []],
    ["anthropic", "the named one", { tool_choice: { type: "tool", name: "look_up" } }, ["look_up"]],
    [
      "responses",
      "the named one",
      { tool_choice: { type: "function", name: "look_up" } },
      ["look_up"],
    ],
    [
      "google",
      "the named one",
      calling({ mode: "ANY", allowedFunctionNames: ["look_up"] }),
      ["look_up"],
    ],
    [
      "anthropic",
      "one of several",
      { tool_choice: { type: "any", disable_parallel_tool_use: true } },
      ["get_weather"],
    ],
    [
      "responses",
      "one of several",
      { tool_choice: "required", parallel_tool_calls: false },
      ["get_weather"],
    ],
    [
      "chat",
      "one of several",
      { tool_choice: "required", parallel_tool_calls: false },
      ["get_weather"],
    ],
    [
      "responses",
      "a required one of those allowed",
      { tool_choice: { type: "allowed_tools", ...allowed("required") } },
      ["look_up"],
    ],
    [
      "responses",
      "nothing that is not allowed",
      { tool_choice: { type: "allowed_tools", ...allowed("auto") } },
      [],
    ],
    [
      "chat",
      "a required one of those allowed",
      { tool_choice: { type: "allowed_tools", allowed_tools: allowedOnChat("required") } },
      ["look_up"],
    ],
    [
      "chat",
      "nothing that is not allowed",
      { tool_choice: { type: "allowed_tools", allowed_tools: allowedOnChat("auto") } },
      [],
    ],
    [
      "google",
      "nothing that is not allowed",
      calling({ mode: "VALIDATED", allowedFunctionNames: ["look_up"] }),
      [],
    ],
  ])("%s calls %s", async (wire, _what, more, expected) => {
    expect(await calledBy(wire, more)).toEqual(expected);
  });

  it("a forced call is made again after its result", async () => {
    const more = { tool_choice: "required", parallel_tool_calls: false };
    const emulator = emulate();
    const first = await answerTo("responses", more, emulator);
    const output = (first["output"] as readonly JsonObject[]).filter(
      ({ type }) => type === "function_call",
    );
    const results = output.map(({ call_id }) => ({
      type: "function_call_output",
      call_id,
      output: "4 degrees",
    }));
    const again = { ...more, input: results, previous_response_id: first["id"] };
    expect(callsIn(await answerTo("responses", again, emulator))).toEqual(["get_weather"]);
  });

  it("a forced custom tool gets a plain text", async () => {
    const tools = [{ type: "custom", name: "shell" }];
    const { output } = await answerTo("responses", {
      tools,
      tool_choice: { type: "custom", name: "shell" },
    });
    expect(output).toContainEqual(
      expect.objectContaining({
        type: "custom_tool_call",
        name: "shell",
        input: expect.any(String),
      }),
    );
  });
});

describe("P-J1 an answer says how it was served", () => {
  it("OpenAI names the tier, and `auto` means the default", async () => {
    for (const wire of ["chat", "responses"] as const) {
      expect(await answerTo(wire, { service_tier: "flex" })).toMatchObject({
        service_tier: "flex",
      });
      expect(await answerTo(wire, { service_tier: "auto" })).toMatchObject({
        service_tier: "default",
      });
    }
  });

  it("Anthropic names place and speed, Google the tier", async () => {
    const model = "claude-opus-5-5";
    const { usage } = await answerTo("anthropic", { model, inference_geo: "us", speed: "fast" });
    expect(usage).toMatchObject({ inference_geo: "us", speed: "fast" });
    const { usageMetadata } = await answerTo("google", { serviceTier: "flex" });
    expect(usageMetadata).toMatchObject({ serviceTier: "flex" });
  });

  it("Responses repeats a verbosity beside the format", async () => {
    expect(await answerTo("responses", { text: { verbosity: "low" } })).toMatchObject({
      text: { format: { type: "text" }, verbosity: "low" },
    });
  });

  it("context management that changed nothing says so", async () => {
    const headers = { "anthropic-beta": "context-management-2025-06-27" };
    const asked = { ...bodies.anthropic, context_management: { edits: [] } };
    const { body } = await ask(emulate(), "anthropic", asked, headers);
    expect(body["context_management"]).toEqual({ applied_edits: [] });
  });
});

const sealed = async (url: string, body: JsonObject): Promise<boolean> => {
  const response = await emulate()(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer k" },
    body: JSON.stringify({ input: "What is 2 + 2?", ...body }),
  });
  const text = await response.text();
  expect(text).toContain('"type":"reasoning"');
  return text.includes("encrypted_content");
};

describe("P-J1 Responses", () => {
  it("answers in the background: queued at once, whole when fetched", async () => {
    const emulator = emulate();
    const queued = await answerTo("responses", { background: true, tool_choice: "none" }, emulator);
    expect(queued).toMatchObject({ status: "queued", output: [], background: true });
    const response = await emulator(`http://emulated/v1/responses/${queued["id"] as string}`, {
      headers: { authorization: "Bearer emulated" },
    });
    expect(await response.json()).toMatchObject({ status: "completed", background: true });
  });

  it("OpenAI gives encrypted content unasked, other hosts of its wire only when asked", async () => {
    const include = ["reasoning.encrypted_content"];
    const xai = "https://api.x.ai/v1/responses";
    expect(await sealed("http://emulated/v1/responses", { model: "gpt-6-sol" })).toBe(true);
    expect(await sealed(xai, { model: "grok-4.3" })).toBe(false);
    expect(await sealed(xai, { model: "grok-4.3", include })).toBe(true);
  });

  it("says why the cache was missed where an earlier response is named", async () => {
    const emulator = emulate();
    const { id } = await answerTo("responses", {}, emulator);
    const prompt_cache_options = { comparison_response_id: id };
    const grown = [
      { role: "user", content: [{ type: "input_text", text: cities }], type: "message" },
      { role: "user", content: "And in Rome?" },
    ];
    const told = async (more: JsonObject): Promise<JsonValue | undefined> =>
      (await answerTo("responses", { prompt_cache_options, ...more }, emulator))[
        "prompt_cache_diagnostics"
      ];
    expect(await told({ input: grown })).toEqual({ type: "cache_hit" });
    expect(await told({ tools: [] })).toMatchObject({
      type: "cache_miss",
      reason: "tools_changed",
    });
    expect(await told({ input: "Hi" })).toMatchObject({ reason: "input_changed" });
    expect(await told({ prompt_cache_options: { comparison_response_id: "resp_none" } })).toEqual({
      type: "comparison_response_not_found",
    });
  });
});

const missed = (type: string): JsonObject => ({
  cache_miss_reason: { type, cache_missed_input_tokens: expect.any(Number) as number },
});

const streamed = async (display: string): Promise<readonly JsonObject[]> => {
  const response = await emulate()("http://emulated/v1/messages", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "thinking-token-count-2026-05-13",
    },
    body: JSON.stringify({
      ...bodies.anthropic,
      model: "claude-opus-5-5",
      stream: true,
      thinking: { type: "adaptive", display },
    }),
  });
  const { text } = await readToEnd(response);
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => (JSON.parse(line.slice(6)) as { delta?: JsonObject }).delta ?? {})
    .filter(({ type }) => type === "thinking_delta" || type === "signature_delta");
};

describe("P-J1 betas of Anthropic", () => {
  it("thinking that is withheld is counted while it runs", async () => {
    const deltas = await streamed("omitted");
    expect(deltas.at(-1)).toMatchObject({ type: "signature_delta" });
    const counts = deltas.slice(0, -1);
    expect(counts.length).toBeGreaterThan(0);
    for (const delta of counts)
      expect(delta).toEqual({ type: "thinking_delta", thinking: "", estimated_tokens: 50 });
  });

  it("thinking that is shown has no count", async () => {
    const deltas = (await streamed("summarized")).slice(0, -1);
    expect(deltas.length).toBeGreaterThan(0);
    for (const delta of deltas)
      expect(delta).toMatchObject({
        thinking: expect.stringMatching(/./s),
        estimated_tokens: null,
      });
  });

  it("diagnostics tell what changed since an earlier message", async () => {
    const emulator = emulate();
    const headers = { "anthropic-beta": "cache-diagnosis-2026-04-07" };
    const ids: JsonValue[] = [];
    const told = async (more: JsonObject): Promise<JsonValue | undefined> => {
      const diagnostics = { previous_message_id: ids[0] ?? null };
      const asked = { ...bodies.anthropic, system: "Be kind.", diagnostics, ...more };
      const { body, message } = await ask(emulator, "anthropic", asked, headers);
      expect(message).toBe("");
      ids.push(body["id"] as string);
      return body["diagnostics"];
    };
    expect(await told({})).toBeNull();
    const messages = [
      { role: "user", content: cities },
      { role: "assistant", content: "Cold." },
      { role: "user", content: "And in Rome?" },
    ];
    expect(await told({ messages })).toBeNull();
    expect(await told({ model: "claude-opus-4-5" })).toEqual(missed("model_changed"));
    expect(await told({ system: "Be brief." })).toEqual(missed("system_changed"));
    expect(await told({ tools: [] })).toEqual(missed("tools_changed"));
    expect(await told({ messages: messages.slice(2) })).toEqual(missed("messages_changed"));
    expect(await told({ tool_choice: { type: "none" } })).toEqual({
      cache_miss_reason: { type: "unavailable" },
    });
    expect(await told({ diagnostics: { previous_message_id: "msg_none" } })).toEqual({
      cache_miss_reason: { type: "previous_message_not_found" },
    });
  });
});
