import { describe, expect, it } from "vitest";
import { isMullError } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { decode } from "./decode.ts";

const origin = { wire: "openai-chat", provider: "acme", model: "m" } as const;
const context: DecodeContext = { origin, now: () => 7, newId: () => "made-here", prefix: "fp" };

const body = (message: JsonObject, choice: JsonObject = {}): JsonObject => ({
  id: "c1",
  model: "m-1",
  choices: [{ index: 0, message, finish_reason: "stop", ...choice }],
});
const read = (message: JsonObject, choice?: JsonObject, quirks?: Quirks): Reply =>
  decode(body(message, choice), { ...context, ...(quirks !== undefined && { quirks }) });
const parts = (message: JsonObject, quirks?: Quirks): readonly AssistantPart[] =>
  read(message, {}, quirks).message.parts;
const seal = (data: JsonObject) => ({ origin, prefix: "fp", data });

const google = (signature: string): JsonObject => ({
  google: { thought_signature: signature },
});

describe("a whole answer", () => {
  it("R102 R103 R143 D8 thinking is found under every name, once", () => {
    for (const field of ["reasoning_content", "reasoning", "reasoning_text"]) {
      expect(parts({ [field]: "hm", content: "a" })).toEqual([
        { type: "thinking", text: "hm", visibility: "full", seal: seal({ field }) },
        { type: "text", text: "a" },
      ]);
    }
    expect(parts({ reasoning_content: "", reasoning: "hm" })).toMatchObject([
      { seal: { data: { field: "reasoning" } } },
    ]);
    expect(parts({ reasoning_content: "hm", reasoning: "hm" })).toHaveLength(1);
    expect(parts({ thoughts: "hm" }, { thinkingFields: ["thoughts"] })).toMatchObject([
      { text: "hm", seal: { data: { field: "thoughts" } } },
    ]);
  });

  it("reasoning_details are kept verbatim, and are the text where no field is", () => {
    const text = { type: "reasoning.text", text: "hm", signature: "s", index: 0 };
    const summary = { type: "reasoning.summary", summary: "so", index: 1 };
    const secret = { type: "reasoning.encrypted", data: "e", index: 2 };
    const details = [text, text, summary, secret, "odd"];
    expect(parts({ reasoning: "hm", reasoning_details: details })).toEqual([
      {
        type: "thinking",
        text: "hm",
        visibility: "summary",
        seal: seal({ field: "reasoning", reasoning_details: details }),
      },
    ]);
    expect(parts({ reasoning_details: [text, secret, "odd"] })).toMatchObject([
      { text: "hm", visibility: "full", seal: { data: { field: "reasoning_details" } } },
    ]);
    expect(
      parts({ thinking_blocks: [{ type: "thinking", thinking: "tb", signature: "s" }] }),
    ).toMatchObject([{ text: "tb" }]);
  });

  it("P-I3 encrypted thinking without text is a part of its own", () => {
    const details = [{ type: "reasoning.encrypted", data: "e" }];
    expect(parts({ reasoning_details: details, content: "a" })).toEqual([
      {
        type: "thinking",
        text: "",
        visibility: "hidden",
        seal: seal({ field: "reasoning_details", reasoning_details: details }),
      },
      { type: "text", text: "a" },
    ]);
    expect(parts({ reasoning_opaque: "o", content: "a" })).toMatchObject([
      { visibility: "hidden" },
      {},
    ]);
    expect(parts({ reasoning_details: [], reasoning_opaque: "", content: "a" })).toHaveLength(1);
  });

  it("Mistral's content chunks are read in order", () => {
    const content = [
      {
        type: "thinking",
        thinking: [
          { type: "text", text: "h" },
          { type: "text", text: "m" },
        ],
        closed: true,
      },
      { type: "text", text: "a" },
      { type: "reference", reference_ids: [1] },
      { type: "thinking", thinking: "again", signature: "s" },
      { type: "refusal", refusal: "No" },
      { type: "output_text", text: "b" },
      { type: "thinking" },
      { odd: true },
      "noise",
    ];
    expect(parts({ content })).toEqual([
      { type: "thinking", text: "hm", visibility: "full", seal: seal({ field: "content" }) },
      { type: "text", text: "a" },
      { type: "opaque", wire: "openai-chat", kind: "reference", data: content[2] },
      {
        type: "thinking",
        text: "again",
        visibility: "full",
        seal: seal({ field: "content", signature: "s" }),
      },
      { type: "text", text: "No", refusal: true },
      { type: "text", text: "b" },
      { type: "opaque", wire: "openai-chat", kind: "unknown", data: { odd: true } },
    ]);
  });

  it("P-E5 inline thinking is split out where the vendor leaves it in", () => {
    expect(
      parts({ content: "<think>\nhm\n</think>\n\na" }, { thinkTags: [["<think>", "</think>"]] }),
    ).toEqual([
      {
        type: "thinking",
        text: "hm",
        visibility: "full",
        seal: seal({ field: "content", tags: ["<think>", "</think>"] }),
      },
      { type: "text", text: "a" },
    ]);
    expect(
      parts(
        { content: "hm</think>a" },
        { thinkTags: [["<think>", "</think>"]], impliedOpenTag: true },
      ),
    ).toMatchObject([{ text: "hm" }, { text: "a" }]);
    expect(parts({ content: "<think>x" }, { thinkTags: [] })).toEqual([
      { type: "text", text: "<think>x" },
    ]);
  });

  it("R104 D10 F-S20 tool calls in every shape", () => {
    const calls = [
      {
        id: "c1",
        type: "function",
        function: { name: "add", arguments: '{"a":1}' },
        custom: { name: "", input: "" },
      },
      { id: "", function: { name: "now", arguments: "null" } },
      { id: "c3", function: { name: "obj", arguments: { b: 2 } }, vendor: 1, gone: null },
      { id: "c4", function: { name: "bad", arguments: "{" } },
      { id: "c5", type: "custom", custom: { name: "sh", input: "ls" } },
      { id: "c6" },
      {},
      null,
    ];
    expect(
      parts({ content: null, tool_calls: calls, function_call: { name: "", arguments: "" } }),
    ).toEqual([
      { type: "tool-call", id: "c1", name: "add", input: { a: 1 } },
      { type: "tool-call", id: "made-here", name: "now", input: {}, localId: true },
      {
        type: "tool-call",
        id: "c3",
        name: "obj",
        input: { b: 2 },
        extra: { wire: "openai-chat", fields: { vendor: 1 } },
      },
      {
        type: "tool-call",
        id: "c4",
        name: "bad",
        input: {},
        invalid: { raw: "{", reason: "arguments are not valid JSON" },
      },
      { type: "tool-call", id: "c5", name: "sh", input: "ls" },
      { type: "tool-call", id: "c6", name: "", input: {} },
    ]);
    expect(parts({ function_call: { name: "old", arguments: "{}" } })).toMatchObject([
      { name: "old", localId: true },
    ]);
  });

  it("F-S21 arguments nested too deep are not built", () => {
    const deep = `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    expect(
      parts({ tool_calls: [{ id: "c", function: { name: "f", arguments: deep } }] }),
    ).toMatchObject([
      { input: {}, invalid: { reason: "arguments are nested deeper than 512 levels" } },
    ]);
  });

  it("P-F4 Google's signatures stay on the part they belong to", () => {
    const call = { id: "c", function: { name: "f", arguments: "{}" } };
    expect(
      parts({
        tool_calls: [{ ...call, extra_content: google("A"), thought_signature: "A" }, call],
        extra_content: google("B"),
      }),
    ).toMatchObject([
      { seal: { data: { extra_content: google("A"), thought_signature: "A" } } },
      { seal: { data: { message: { extra_content: google("B") } } } },
    ]);
    expect(parts({ tool_calls: [{ ...call, thought_signature: "A" }] })).toMatchObject([
      { seal: { data: { thought_signature: "A" } } },
    ]);
    expect(parts({ content: "a", extra_content: google("B"), thought_signature: "B" })).toEqual([
      {
        type: "text",
        text: "a",
        seal: seal({ message: { extra_content: google("B"), thought_signature: "B" } }),
      },
    ]);
    expect(parts({ thought_signature: "B" })).toEqual([
      {
        type: "thinking",
        text: "",
        visibility: "hidden",
        seal: seal({ message: { thought_signature: "B" } }),
      },
    ]);
  });

  it("pictures come as files", () => {
    const images = [
      { type: "image_url", image_url: { url: "data:image/png;base64,QQ==" } },
      { type: "image_url", image_url: { url: "https://x/y" } },
      { type: "image_url" },
      7,
    ];
    expect(parts({ content: "a", images })).toEqual([
      { type: "text", text: "a" },
      { type: "file", mediaType: "image/png", source: { type: "base64", data: "QQ==" } },
      { type: "file", mediaType: "image/*", source: { type: "url", url: "https://x/y" } },
    ]);
  });

  it("the first choice is the answer, wherever it stands", () => {
    const choices = [
      { index: 1, message: { content: "b" } },
      { index: 0, delta: { content: "a" }, finish_reason: "length" },
    ];
    expect(decode({ choices }, context)).toMatchObject({
      message: { parts: [{ text: "a" }] },
      finish: { reason: "length", raw: "length" },
    });
    expect(decode({ choices: [{ text: "legacy" }] }, context)).toEqual({
      message: { role: "assistant", parts: [{ type: "text", text: "legacy" }], origin },
      finish: { reason: "stop" },
      usage: {},
    });
    expect(decode({ choices: [{}] }, context).message.parts).toEqual([]);
  });

  it("D11 F-S16 the finish reason is understood, or told", () => {
    const table = [
      ["stop", "stop"],
      ["tool_calls", "tool-calls"],
      ["function_call", "tool-calls"],
      ["length", "length"],
      ["model_length", "length"],
      ["content_filter", "content-filter"],
      ["insufficient_system_resource", "error"],
      ["", "stop"],
    ] as const;
    for (const [raw, reason] of table)
      expect(read({ content: "a" }, { finish_reason: raw }).finish).toEqual({ reason, raw });
    expect(read({ content: "a" }, { finish_reason: "abort" }).finish).toEqual({
      reason: "stop",
      raw: "abort",
      note: 'unknown finish reason "abort"',
    });
    expect(read({ refusal: "No" }).finish.reason).toBe("refusal");
    expect(read({ tool_calls: [{ id: "c", function: { name: "f" } }] }).finish.reason).toBe(
      "tool-calls",
    );
  });

  it("F-S11 what else was said is metadata, whatever it is called", () => {
    const odd = JSON.parse(
      '{"__proto__":{"x":1},"constructor":"c","service_tier":"flex","empty":{},"none":null}',
    ) as JsonObject;
    const reply = decode(
      {
        ...odd,
        ...body(
          { content: "a", annotations: [1] },
          { logprobs: { content: [] }, native_finish_reason: "STOP" },
        ),
      },
      context,
    );
    expect(Object.entries(reply.metadata ?? {})).toEqual([
      ["__proto__", { x: 1 }],
      ["constructor", "c"],
      ["service_tier", "flex"],
      ["native_finish_reason", "STOP"],
      ["annotations", [1]],
      ["logprobs", { content: [] }],
    ]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("F-N7 F-N8 what is no answer is an error", () => {
    const failures: readonly (readonly [unknown, string, string | undefined])[] = [
      ["<html>", "protocol", "empty_response"],
      [{}, "protocol", "empty_response"],
      [{ choices: [] }, "protocol", "empty_response"],
      [{ error: { message: "boom", code: 502 } }, "server", "502"],
      [
        { base_resp: { status_code: 1002, status_msg: "rate limit" }, choices: [{ message: {} }] },
        "unknown",
        undefined,
      ],
    ];
    for (const [value, category, code] of failures) {
      let error: unknown;
      try {
        decode(value, context);
      } catch (thrown) {
        error = thrown;
      }
      expect(isMullError(error) && [error.category, error.code]).toEqual([category, code]);
    }
    const many = { content: Array.from({ length: 10_001 }, () => ({ type: "x" })) };
    expect(() => parts(many)).toThrow(/more than 10000 parts/);
  });
});
