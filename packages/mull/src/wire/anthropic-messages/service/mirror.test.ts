import { expect, test } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { Reply } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { ServeContext } from "../../../types/wire.ts";
import { encode } from "../client/encode.ts";
import { anthropicMessagesMirror as mirror } from "./mirror.ts";

const readBody = (
  body: JsonObject,
  headers: Record<string, string> = {},
  path = "/v1/messages",
): ReturnType<typeof mirror.decodeRequest> => mirror.decodeRequest({ path, headers, body });
const ask = { model: "claude-opus-5", max_tokens: 100, messages: [] };

test.each([
  [
    { type: "enabled", budget_tokens: 2048 },
    "low",
    { type: "budget", tokens: 2048, effort: "low" },
  ],
  [{ type: "enabled" }, undefined, { type: "on" }],
  [{ type: "adaptive" }, "max", { type: "effort", effort: "max" }],
  [{ type: "adaptive" }, undefined, { type: "on" }],
  [{ type: "disabled" }, "low", { type: "off", form: "disabled", effort: "low" }],
  [{ type: "between_tools" }, undefined, { type: "off", form: "between_tools" }],
  [undefined, undefined, { type: "default" }],
] as const)("thinking %o with effort %s is %o", (thinking, effort, expected) => {
  const body = {
    ...ask,
    ...(thinking && { thinking }),
    ...(effort && { output_config: { effort } }),
  };
  const request = readBody(body);
  expect(request.thinking).toEqual(expected);
  expect(request).not.toHaveProperty("extra");
});

const show = (model: string, display?: string): unknown =>
  readBody({ ...ask, model, thinking: { type: "adaptive", ...(display && { display }) } }).show;

test("P-D1: what is shown when nobody says depends on the model", () => {
  for (const model of [
    "claude-sonnet-4-6",
    "claude-opus-4-5@20251101",
    "claude-sonnet-4-20250514",
    "claude-3-7-sonnet-latest",
    "glm-5",
  ]) {
    expect(show(model)).toBe("auto");
  }
  for (const model of ["claude-opus-4-7", "claude-opus-5", "claude-haiku-5-5", "claude-fable-5-2"])
    expect(show(model)).toBe(false);
  expect(show("claude-opus-5", "summarized")).toBe("auto");
  expect(show("claude-sonnet-4-6", "omitted")).toBe(false);
});

test("nothing of a request is lost: what mull does not model goes to extra", () => {
  const body = {
    ...ask,
    thinking: {
      type: "adaptive",
      display: "updates",
      block_binding: { prefix_mismatch_behavior: "error" },
    },
    output_config: {
      effort: "low",
      task_budget: { total: 1 },
      format: { type: "json_schema", schema: { type: "object" } },
    },
    tool_choice: { type: "auto", disable_parallel_tool_use: true, novel: 1 },
    metadata: { user_id: "u", more: 1 },
    service_tier: "auto",
  };
  const request = readBody(body, { "anthropic-beta": "a, b" });
  expect(request).toMatchObject({
    userId: "u",
    toolChoice: "auto",
    parallelToolCalls: false,
    output: { schema: { type: "object" } },
  });
  expect(request.extra).toEqual({
    thinking: { display: "updates", block_binding: { prefix_mismatch_behavior: "error" } },
    output_config: { task_budget: { total: 1 } },
    tool_choice: { novel: 1 },
    metadata: { more: 1 },
    service_tier: "auto",
    anthropic_beta: ["a", "b"],
  });
  const again = encode(
    { ...request, tools: [{ name: "f", inputSchema: {} }] },
    { model: findModel("claude-opus-5") },
  );
  expect(again.body).toMatchObject(body);
  expect(again.headers["anthropic-beta"]).toBe("a,b");
});

test("an effort without a thinking field, odd thinking, formats and choices stay in extra", () => {
  expect(readBody({ ...ask, output_config: { effort: "low" } }).extra).toEqual({
    output_config: { effort: "low" },
  });
  expect(
    readBody({
      ...ask,
      thinking: { type: "novel" },
      output_config: { format: { type: "x" } },
      tool_choice: { type: "novel" },
    }).extra,
  ).toEqual({
    thinking: { type: "novel" },
    output_config: { format: { type: "x" } },
    tool_choice: { type: "novel" },
  });
});

test("sampling, stops, tools and choices are read", () => {
  const custom = {
    name: "f",
    description: "d",
    input_schema: { type: "object" },
    strict: true,
    defer_loading: true,
  };
  const vendor = { type: "web_search_20250305", name: "web_search" };
  const request = readBody({
    ...ask,
    temperature: 0.5,
    top_p: 0.9,
    top_k: 3,
    stop_sequences: ["x"],
    stream: true,
    tools: [custom, vendor],
  });
  expect(request).toMatchObject({
    temperature: 0.5,
    topP: 0.9,
    topK: 3,
    stopSequences: ["x"],
    stream: true,
    maxOutputTokens: 100,
    tools: [
      { name: "f", description: "d", strict: true, extra: { fields: { defer_loading: true } } },
      { vendor: { fields: vendor } },
    ],
  });
  const choice = (tool_choice: JsonObject): unknown => readBody({ ...ask, tool_choice }).toolChoice;
  expect(
    [{ type: "none" }, { type: "any" }, { type: "tool", name: "f" }, { type: "tool" }].map(choice),
  ).toEqual(["none", "required", { tool: "f" }, { tool: "" }]);
});

test("messages of every kind are read and written again as they were", () => {
  const pdf = {
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: "AA==" },
    title: "t",
    context: "c",
  };
  const messages = [
    {
      role: "user",
      content: [
        { type: "image", source: { type: "url", url: "https://x.test" } },
        pdf,
        { type: "document", source: { type: "file", file_id: "f" } },
        { type: "document", source: { type: "text", data: "x", media_type: "text/plain" } },
        { type: "document", source: { type: "content", content: "a kind that has no file" } },
        { type: "search_result", title: "s" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "", signature: "s" },
        { type: "tool_use", id: "c1", name: "f", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          content: [
            { type: "text", text: "x" },
            { type: "tool_reference", tool_name: "y" },
          ],
          is_error: true,
          cache_control: { type: "ephemeral" },
        },
        { type: "text", text: "also" },
        { type: "tool_result", tool_use_id: "c2", content: "late" },
        { type: "tool_result", tool_use_id: "c3", content: "later" },
      ],
    },
    { role: "system", content: [{ type: "text", text: "be brief" }] },
    { role: "assistant", content: [{ type: "text", text: "ok" }] },
    { role: "user", content: [{ type: "text", text: "next" }] },
    { role: "system", content: [], output_config: { effort: "low" } },
  ];
  const request = readBody({
    ...ask,
    messages,
    system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
  });
  expect(request.messages[2]).toMatchObject({
    role: "tool",
    parts: [
      {
        callId: "c1",
        name: "f",
        isError: true,
        // The tool's second word is one that only Claude knows: others read it as text.
        output: [{ text: "x" }, { text: '{"type":"tool_reference","tool_name":"y"}' }],
      },
    ],
  });
  const again = encode(request, {
    model: { ...findModel("claude-opus-5"), systemMessages: true, effortUpdates: true },
  });
  expect(again.body["messages"]).toEqual(messages);
  // Read as a file, the text goes to other vendors, too.
  expect(request.messages[0]?.parts[3]).toMatchObject({
    type: "file",
    mediaType: "text/plain",
    source: { data: btoa("x") },
  });
  expect(again.body["system"]).toEqual([
    { type: "text", text: "s", cache_control: { type: "ephemeral" } },
  ]);
});

test("system blocks that aren't text, strings and odd lists do not stop the reader", () => {
  const request = readBody({
    ...ask,
    system: "be brief",
    messages: [
      { role: "system", content: [{ type: "novel" }] },
      { role: "user", content: "hi" },
      { role: "user" },
      "noise",
    ],
  });
  expect(request.system).toBe("be brief");
  expect(request.messages).toMatchObject([
    { role: "system", parts: [{ type: "opaque" }] },
    { role: "user", parts: [{ text: "hi" }] },
  ]);
  expect(readBody({}).messages).toEqual([]);
  const nameless = { role: "assistant", content: [{ type: "tool_use", name: "f" }] };
  expect(readBody({ messages: [nameless] }).messages).toMatchObject([
    { parts: [{ id: "", input: {} }] },
  ]);
});

test("hosted endpoints name the model in the path", () => {
  expect(
    readBody(
      {},
      {},
      "/v1/projects/p/locations/l/publishers/anthropic/models/claude-haiku-4-5@20251001:rawPredict",
    ).model,
  ).toBe("claude-haiku-4-5@20251001");
  expect(readBody({}, {}, "/model/anthropic.claude-opus-5-5/invoke").model).toBe(
    "anthropic.claude-opus-5-5",
  );
});

const serve: ServeContext = {
  model: "claude-opus-5",
  id: "msg_1",
  created: 0,
  pieces: (text) => (text === "" ? [] : [text]),
};
const reply = (fields: Partial<Reply>): Reply => ({
  message: { role: "assistant", parts: [] },
  finish: { reason: "stop" },
  usage: {},
  ...fields,
});

test("an answer that names nothing gets the server's names and whole usage", () => {
  expect(mirror.encodeReply(reply({}), serve)).toEqual({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-5",
    content: [],
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: "standard",
      inference_geo: "global",
      speed: "standard",
    },
  });
  const thinking = { usage: { output: 3, thinking: 4 }, finish: { reason: "tool-calls" } } as const;
  expect(mirror.encodeReply(reply(thinking), serve)).toMatchObject({
    stop_reason: "tool_use",
    usage: { output_tokens: 7, output_tokens_details: { thinking_tokens: 4 } },
  });
});

test("parts of other wires have no form here", () => {
  const parts = [
    { type: "file", mediaType: "image/png", source: { type: "id", id: "x" } },
    { type: "opaque", wire: "google-generate", kind: "x", data: {} },
    { type: "thinking", text: "t", visibility: "summary" },
  ] as const;
  const message = { role: "assistant", parts } as const;
  expect(mirror.encodeReply(reply({ message }), serve)["content"]).toEqual([
    { type: "thinking", thinking: "t", signature: "" },
  ]);
  const types = mirror.encodeStream(reply({ message }), serve).map(({ event }) => event);
  expect(types).toEqual([
    "message_start",
    "content_block_start",
    "ping",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});

test("R155: the order of events is the service's", () => {
  const parts = [
    { type: "text", text: "a" },
    { type: "tool-call", id: "c", name: "f", input: {} },
  ] as const;
  const events = mirror.encodeStream(reply({ message: { role: "assistant", parts } }), serve);
  expect(events.map(({ event }) => event)).toEqual([
    "message_start",
    "content_block_start",
    "ping",
    "content_block_delta",
    "content_block_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});

test("errors are spelled as the service spells them", () => {
  const error = { status: 429, type: "rate_limit_error", message: "slow" };
  expect(mirror.encodeError(error)).toEqual({
    type: "error",
    error: { type: "rate_limit_error", message: "slow" },
  });
  expect(
    mirror.encodeError({
      ...error,
      code: "ramp_limit_exceeded",
      details: { a: 1 },
      requestId: "req_1",
    }),
  ).toEqual({
    type: "error",
    error: {
      type: "rate_limit_error",
      message: "slow",
      details: { a: 1, error_code: "ramp_limit_exceeded" },
    },
    request_id: "req_1",
  });
  expect(mirror.openStream(serve).fail(error)).toEqual([
    {
      event: "error",
      data: '{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}',
    },
  ]);
});
