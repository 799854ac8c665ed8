import { describe, expect, it } from "vitest";
import type { FinishReason, Reply } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Seal } from "../../../types/message.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { DecodeContext, ServeContext } from "../../../types/wire.ts";
import { decode } from "../client/decode.ts";
import { openaiChatMirror } from "./mirror.ts";

const origin = { wire: "openai-chat", provider: "openai-chat", model: "m" } as const;
const context: DecodeContext = { origin, now: () => 0, newId: () => "made-here" };
const serve: ServeContext = {
  model: "m-1",
  id: "chatcmpl-1",
  created: 9,
  pieces: (text) => [text],
};
const sealOf = (data: JsonObject): Seal => ({ origin, data });
const reply = (...parts: readonly AssistantPart[]): Reply => ({
  message: { role: "assistant", parts },
  finish: { reason: "stop" },
  usage: {},
});
const read = (body: JsonObject): WireRequest =>
  openaiChatMirror.decodeRequest({ path: "/chat/completions", headers: {}, body });
describe("serving", () => {
  it("R155 streams in the service's order, with its fields", () => {
    const answer: Reply = {
      ...reply({ type: "text", text: "4" }, { type: "tool-call", id: "c", name: "f", input: {} }),
      finish: { reason: "tool-calls" },
      usage: { input: 20, cacheRead: 5, cacheWrite: 2, output: 11, thinking: 64 },
      metadata: { service_tier: "default" },
    };
    const frames = openaiChatMirror
      .encodeStream(answer, serve)
      .map(({ data }) => (data === "[DONE]" ? data : (JSON.parse(data) as JsonObject)));
    const head = {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 9,
      model: "m-1",
      service_tier: "default",
      system_fingerprint: null,
    };
    const frame = (delta: JsonObject, finish: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      usage: null,
    });
    expect(frames).toEqual([
      frame({ role: "assistant", content: "", refusal: null }),
      frame({ content: "4" }),
      frame({
        tool_calls: [
          { index: 0, id: "c", type: "function", function: { name: "f", arguments: "" } },
        ],
      }),
      frame({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] }),
      frame({}, "tool_calls"),
      {
        ...head,
        choices: [],
        usage: {
          prompt_tokens: 27,
          completion_tokens: 75,
          total_tokens: 102,
          prompt_tokens_details: { cached_tokens: 5, audio_tokens: 0, cache_write_tokens: 2 },
          completion_tokens_details: {
            reasoning_tokens: 64,
            audio_tokens: 0,
            accepted_prediction_tokens: 0,
            rejected_prediction_tokens: 0,
          },
        },
      },
      "[DONE]",
    ]);
  });

  it("sends usage in a stream only when it was asked for", () => {
    const answer = { ...reply({ type: "text", text: "a" }), usage: { output: 3, total: 7 } };
    const ask = (extra?: JsonObject): boolean => {
      const request = {
        ...read({ model: "m", messages: [] }),
        ...(extra !== undefined && { extra }),
      };
      return openaiChatMirror
        .encodeStream(answer, { ...serve, request })
        .some(({ data }) => data.includes('"total_tokens":7'));
    };
    expect([ask(), ask({}), ask({ stream_options: { include_usage: true } })]).toEqual([
      false,
      false,
      true,
    ]);
    expect(openaiChatMirror.encodeReply({ ...reply(), usage: { input: 4 } }, serve)).toMatchObject({
      usage: { prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 },
    });
    expect(openaiChatMirror.encodeReply(reply(), serve)).not.toHaveProperty("usage");
  });

  it("says every finish reason in the service's word", () => {
    const reasons: readonly FinishReason[] = [
      "stop",
      "tool-calls",
      "length",
      "content-filter",
      "refusal",
      "pause",
      "error",
    ];
    const words = reasons.map((reason) => {
      const { choices } = openaiChatMirror.encodeReply(
        { ...reply(), finish: { reason } },
        serve,
      ) as { choices: readonly JsonObject[] };
      return choices[0]?.["finish_reason"];
    });
    expect(words).toEqual([
      "stop",
      "tool_calls",
      "length",
      "content_filter",
      "content_filter",
      "stop",
      "error",
    ]);
  });

  it("serves every kind of part so that it is read again", () => {
    const parts: readonly AssistantPart[] = [
      {
        type: "thinking",
        text: "hm",
        visibility: "full",
        seal: sealOf({ field: "content", signature: "s" }),
      },
      { type: "text", text: "a" },
      { type: "opaque", wire: "openai-chat", kind: "reference", data: { type: "reference" } },
      { type: "file", mediaType: "image/png", source: { type: "base64", data: "QQ==" } },
      { type: "file", mediaType: "image/*", source: { type: "url", url: "https://x/y" } },
      { type: "tool-call", id: "c1", name: "sh", input: "ls" },
      {
        type: "tool-call",
        id: "made-here",
        name: "f",
        input: {},
        localId: true,
        invalid: { raw: "{", reason: "arguments are not valid JSON" },
      },
      {
        type: "tool-call",
        id: "c3",
        name: "g",
        input: {},
        seal: sealOf({ message: { thought_signature: "A" } }),
        extra: { wire: "openai-chat", fields: { vendor: 1 } },
      },
    ];
    const sealedFirst = parts.map((part, index) => {
      if (index === 5) return { ...part, seal: sealOf({ extra_content: {} }) };
      return index === 6 ? { ...part, seal: sealOf({ extra_content: {} }) } : part;
    });
    const body: unknown = JSON.parse(
      JSON.stringify(openaiChatMirror.encodeReply(reply(...sealedFirst), serve)),
    );
    expect(decode(body, context).message.parts).toEqual(sealedFirst);
  });

  it("refusals, hidden thoughts, plain and tagged ones", () => {
    const message = (...parts: readonly AssistantPart[]): unknown => {
      const { choices } = openaiChatMirror.encodeReply(reply(...parts), serve) as {
        choices: readonly JsonObject[];
      };
      return choices[0]?.["message"];
    };
    expect(
      message(
        { type: "text", text: "N", refusal: true },
        { type: "text", text: "o", refusal: true },
      ),
    ).toEqual({ role: "assistant", content: null, refusal: "No" });
    const plain: AssistantPart = { type: "thinking", text: "hm", visibility: "full" };
    expect(message(plain, plain)).toEqual({
      role: "assistant",
      content: "",
      refusal: null,
      reasoning_content: "hmhm",
    });
    const tagged: AssistantPart = {
      ...plain,
      seal: sealOf({ field: "content", tags: ["<think>", 1] }),
    };
    expect(message(tagged, { type: "text", text: "a" })).toMatchObject({
      content: "<think>\nhm\n\n\na",
    });
    const hidden: AssistantPart = {
      type: "thinking",
      text: "",
      visibility: "hidden",
      seal: sealOf({ message: { extra_content: {} } }),
    };
    expect(message(hidden)).toEqual({
      role: "assistant",
      content: "",
      refusal: null,
      extra_content: {},
    });
    const details = [{ type: "reasoning.text", text: "d" }];
    expect(
      message({
        ...plain,
        seal: sealOf({ field: "reasoning_details", reasoning_details: details }),
      }),
    ).toMatchObject({ reasoning_details: details });
    const detailed = (text: string): AssistantPart => {
      const reasoning_details = [{ type: "reasoning.text", text }];
      return { ...plain, seal: sealOf({ field: "reasoning_details", reasoning_details }) };
    };
    expect(message(detailed("d"), detailed("e"))).toMatchObject({
      reasoning_details: [...details, { type: "reasoning.text", text: "e" }],
    });
    expect(
      message({ type: "file", mediaType: "image/png", source: { type: "id", id: "f" } }),
    ).toMatchObject({ images: [{ image_url: { url: "f" } }] });
    const streamed = openaiChatMirror.encodeStream(
      reply(
        tagged,
        hidden,
        { ...plain, seal: sealOf({ field: "content", signature: "s" }) },
        { type: "tool-call", id: "c", name: "sh", input: "ls" },
        { type: "text", text: "No", refusal: true },
        { type: "file", mediaType: "image/png", source: { type: "id", id: "f" } },
      ),
      serve,
    );
    const deltas = streamed
      .slice(1, -2)
      .map(
        ({ data }) =>
          (JSON.parse(data) as { choices: readonly { delta: JsonObject }[] }).choices[0]?.delta,
      );
    expect(deltas).toEqual([
      { content: "<think>\n" },
      { content: "hm" },
      { content: "\n\n\n" },
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] },
      {
        content: [
          {
            type: "thinking",
            thinking: [{ type: "text", text: "" }],
            closed: true,
            signature: "s",
          },
        ],
      },
      { tool_calls: [{ index: 0, id: "c", type: "custom", custom: { name: "sh", input: "" } }] },
      { tool_calls: [{ index: 0, type: "custom", custom: { input: "ls" } }] },
      { refusal: "No" },
      { images: [{ type: "image_url", image_url: { url: "f" } }] },
      { extra_content: {} },
    ]);
  });

  it("refuses as the service does, before and inside a stream", () => {
    const error = {
      status: 400,
      type: "invalid_request_error",
      message: "no",
      code: "unsupported_value",
      param: "top_p",
    };
    const body = {
      error: {
        message: "no",
        type: "invalid_request_error",
        param: "top_p",
        code: "unsupported_value",
      },
    };
    expect(openaiChatMirror.encodeError(error)).toEqual(body);
    expect(
      openaiChatMirror.encodeError({ status: 500, type: "server_error", message: "x" }),
    ).toEqual({ error: { message: "x", type: "server_error", param: null, code: null } });
    expect(openaiChatMirror.openStream(serve).fail(error)).toEqual([
      { data: JSON.stringify(body) },
    ]);
  });
});
