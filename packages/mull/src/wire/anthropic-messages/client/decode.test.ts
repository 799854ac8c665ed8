import { expect, test } from "vitest";
import type { DecodeContext } from "../../../types/wire.ts";
import { decode } from "./decode.ts";

const context: DecodeContext = {
  origin: { wire: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" },
  now: () => 0,
  newId: () => "made-here",
};
const read = (fields: object, more: Partial<DecodeContext> = {}): ReturnType<typeof decode> =>
  decode({ content: [], stop_reason: "end_turn", ...fields }, { ...context, ...more });

test("R98 R99: thinking before text, in order, with its signature", () => {
  const content = [
    { type: "thinking", thinking: "t", signature: "s" },
    { type: "text", text: "a", citations: null },
    "noise",
  ];
  expect(read({ content }).message.parts).toEqual([
    {
      type: "thinking",
      text: "t",
      visibility: "summary",
      seal: { origin: context.origin, data: { signature: "s" } },
    },
    { type: "text", text: "a" },
  ]);
});

test("R100: thinking under `text` is thinking", () => {
  expect(
    read({ content: [{ type: "thinking", text: "t", signature: "s" }] }).message.parts,
  ).toMatchObject([{ type: "thinking", text: "t" }]);
});

test("R198 R199: 3.7 and other vendors show the thought itself", () => {
  const content = [{ type: "thinking", thinking: "t", signature: "s" }];
  for (const model of ["claude-3-7-sonnet-20250219", "glm-5"]) {
    expect(read({ content }, { origin: { ...context.origin, model } }).message.parts).toMatchObject(
      [{ visibility: "full" }],
    );
  }
});

test("unsigned thinking has a seal only where signatures are not checked", () => {
  const content = [{ type: "thinking", thinking: "t" }];
  expect(read({ content }).message.parts[0]).not.toHaveProperty("seal");
  expect(read({ content }, { quirks: { unsignedThinking: true } }).message.parts[0]).toMatchObject({
    seal: { data: { signature: "" } },
  });
});

test("R125 R137 P-H2: output never contains thinking", () => {
  const usage = {
    input_tokens: 20,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 7,
    output_tokens: 310,
    output_tokens_details: { thinking_tokens: 250 },
  };
  expect(read({ usage }).usage).toEqual({
    input: 20,
    cacheRead: 7,
    cacheWrite: 5,
    output: 60,
    thinking: 250,
    thinkingSource: "reported",
    total: 342,
    raw: usage,
  });
});

test("R124 R126 R127: a top-level thinking count stands beside the output", () => {
  expect(
    read({ usage: { input_tokens: 10, output_tokens: 20, thinking_tokens: 30 } }).usage,
  ).toMatchObject({ input: 10, output: 20, thinking: 30, total: 60 });
});

test("R443 tokens that the service took to shorten the conversation are counted apart", () => {
  const summary = { type: "compaction", input_tokens: 900, cache_read_input_tokens: 100 };
  const iterations = [
    { ...summary, output_tokens: 30 },
    { ...summary, output_tokens: null },
    { type: "message", input_tokens: 20, output_tokens: 20 },
  ];
  const { usage } = read({ usage: { input_tokens: 20, output_tokens: 20, iterations } });
  expect(usage).toMatchObject({ input: 20, total: 2070, summaryInput: 2000, summaryOutput: 30 });
});

test("P-H1: absent counts stay absent, impossible ones are told", () => {
  expect(read({}).usage).toEqual({});
  const unknown = { output_tokens: null, output_tokens_details: null, input_tokens: "x" };
  expect(read({ usage: unknown }).usage).toEqual({ raw: unknown });
  expect(
    read({
      usage: { input_tokens: 1, output_tokens: 2, output_tokens_details: { thinking_tokens: 5 } },
    }).usage,
  ).toMatchObject({
    output: 0,
    thinking: 5,
    warning: expect.stringContaining("5 exceed output_tokens 2"),
  });
  expect(
    read({ usage: { output_tokens_details: { thinking_tokens: 5 } } }).usage.warning,
  ).toContain("(absent)");
});

test.each([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool-calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
  ["sensitive", "content-filter"],
  ["pause_turn", "pause"],
  ["compaction", "pause"],
])("stop reason %s is %s", (raw, reason) => {
  expect(read({ stop_reason: raw }).finish).toEqual({ reason, raw });
});

test("F-S16: an unknown or missing stop reason is noted", () => {
  expect(read({ stop_reason: "novel" }).finish).toMatchObject({
    reason: "stop",
    raw: "novel",
    note: expect.any(String),
  });
  const content = [{ type: "tool_use", id: "x", name: "f", input: {} }];
  expect(read({ stop_reason: null, content }).finish).toMatchObject({
    reason: "tool-calls",
    note: expect.any(String),
  });
});

test("P-A11: a refusal says why, and the rest of what the service said is kept", () => {
  const reply = read({
    id: "msg_1",
    model: "claude-x",
    stop_reason: "refusal",
    stop_details: { type: "refusal", category: "reasoning_extraction", explanation: null },
    container: null,
    input_transformations: [{ type: "thinking_dropped" }],
  });
  expect(reply).toMatchObject({
    id: "msg_1",
    servedModel: "claude-x",
    finish: { reason: "refusal", note: "reasoning_extraction" },
  });
  expect(reply.metadata).toEqual({
    stop_details: { type: "refusal", category: "reasoning_extraction", explanation: null },
    input_transformations: [{ type: "thinking_dropped" }],
  });
});

test("F-S20 F-S21: a call whose input isn't an object is marked; a block nested too deep is refused", () => {
  expect(
    read({ content: [{ type: "tool_use", name: "f", input: "x" }] }).message.parts,
  ).toMatchObject([{ id: "made-here", localId: true, input: {}, invalid: { raw: "x" } }]);
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(600)}1${"}".repeat(600)}`);
  expect(() => read({ content: [{ type: "odd", deep }] })).toThrow(
    expect.objectContaining({ category: "protocol", code: "too_deep" }),
  );
});

test("what is no message is a protocol error; an error object is the service's error", () => {
  for (const body of [null, [], {}, { content: "x" }]) {
    expect(() => decode(body, context)).toThrow(
      expect.objectContaining({ category: "protocol", code: "invalid_response" }),
    );
  }
  expect(() =>
    decode({ type: "error", error: { type: "api_error", message: "no" } }, context),
  ).toThrow(expect.objectContaining({ category: "server" }));
});

const callOf = (id: string, input: object): object => ({ type: "tool_use", id, name: "f", input });
const inputTextsOf = (content: readonly object[], text: string): readonly unknown[] =>
  read({ content }, { text }).message.parts.map((part) =>
    part.type === "tool-call" ? part.inputText : part.type,
  );

test("the text of an input stays where writing it again would change it", () => {
  const content = [callOf("a", { n: 2 }), callOf("b", { n: 1 })];
  const text = `{"content":[{"input": {"n":2}},{"input":{"n":1.0}}]}`;
  expect(inputTextsOf(content, text)).toEqual([undefined, `{"n":1.0}`]);
});

test.each([
  ["of another answer", `{"input":{"n":1.0}}`],
  ["cut in a string", `{"input":{"n":1.0}},{"input":{"n":"2`],
  ["cut in a number", `{"input":{"n":1.0}},{"input":{"n":2`],
])("a text that is %s gives no text to an input it does not hold", (_, text) => {
  expect(inputTextsOf([callOf("a", { n: 2 })], text)).toEqual([undefined]);
});
