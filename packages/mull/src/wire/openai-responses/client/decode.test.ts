import { describe, expect, it } from "vitest";
import { isMullError, type MullError } from "../../../types/error.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { decode } from "./decode.ts";

const context: DecodeContext = {
  origin: { wire: "openai-responses", provider: "openai", model: "gpt-6-sol" },
  prefix: "p1",
  now: () => 0,
  newId: () => "made-here",
};
const read = (body: unknown, more: Partial<DecodeContext> = {}): ReturnType<typeof decode> =>
  decode(body, { ...context, ...more });
const partsOf = (...output: readonly JsonObject[]): readonly object[] =>
  read({ output }).message.parts;
const thrown = (body: unknown): MullError => {
  try {
    read(body);
  } catch (error) {
    if (isMullError(error)) return error;
  }
  throw new Error("nothing was thrown");
};

describe("whole answers", () => {
  it("R102 R113: read every shape of a thought", () => {
    const content = [
      { type: "reasoning_text", text: "a" },
      { type: "reasoning_text", text: "b" },
    ];
    expect(
      partsOf(
        { type: "reasoning", summary: [{ type: "summary_text" }], content },
        { type: "reasoning", id: "rs_1", summary: [], status: "completed" },
        { type: "reasoning_content", reasoning_content: "c" },
        {
          type: "message",
          content: [
            { type: "reasoning_content", reasoning_content: "d" },
            { type: "reasoning_text" },
          ],
        },
      ),
    ).toEqual([
      { type: "thinking", text: "a\n\nb", visibility: "full" },
      {
        type: "thinking",
        text: "",
        visibility: "hidden",
        seal: { origin: context.origin, prefix: "p1", data: { id: "rs_1", summary: [] } },
      },
      { type: "thinking", text: "c", visibility: "full" },
      { type: "thinking", text: "d", visibility: "full" },
      { type: "thinking", text: "", visibility: "full" },
    ]);
  });

  it("R104: read texts, refusals and what is unknown", () => {
    const strange = { type: "output_audio", id: "a" };
    expect(
      partsOf(
        { type: "message", content: "plain" },
        {
          type: "message",
          content: [
            { type: "text", text: "t", annotations: [{ url: "u" }], logprobs: [] },
            strange,
          ],
        },
        {},
      ),
    ).toEqual([
      { type: "text", text: "plain" },
      {
        type: "text",
        text: "t",
        extra: { wire: "openai-responses", fields: { annotations: [{ url: "u" }] } },
      },
      {
        type: "opaque",
        wire: "openai-responses",
        kind: "message",
        data: { type: "message", content: [strange] },
      },
      { type: "opaque", wire: "openai-responses", kind: "unknown", data: {} },
    ]);
    expect(
      read({
        status: "completed",
        output: [{ type: "message", content: [{ type: "refusal", refusal: "No." }] }],
      }).finish,
    ).toEqual({
      reason: "refusal",
      raw: "completed",
    });
  });

  it("keep the spelling of arguments, and mark calls that were cut", () => {
    const call = { type: "function_call", id: "fc_1", call_id: "c", name: "f" };
    expect(partsOf({ ...call, arguments: '{"a": 1}' })).toMatchObject([
      { input: { a: 1 }, inputText: '{"a": 1}', seal: { data: { id: "fc_1" } } },
    ]);
    expect(partsOf({ ...call, arguments: { a: 1 }, status: "incomplete" })).toMatchObject([
      { input: { a: 1 }, cut: true, send: false },
    ]);
    expect(partsOf({ type: "custom_tool_call", call_id: "c", name: "f" })).toEqual([
      { type: "tool-call", id: "c", name: "f", input: "" },
    ]);
  });

  it.each([
    [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "content-filter"],
    [{ status: "incomplete", incomplete_details: { reason: "steered" } }, "pause"],
    [{ status: "incomplete" }, "stop"],
    [{ status: "cancelled" }, "error"],
    [{ status: "queued" }, "pause"],
    [{}, "stop"],
  ])("%j finishes as %s", (fields, reason) => {
    expect(read({ output: [], ...fields }).finish.reason).toBe(reason);
  });

  it("keep what else was said, and the echo of the settings", () => {
    const reply = read({
      output: [],
      reasoning: { effort: "low", summary: null },
      service_tier: "default",
      content_filters: [{ blocked: false }],
      billing: null,
      metadata: {},
    });
    expect(reply.echo).toEqual({ effort: "low", summary: null });
    expect(reply.metadata).toEqual({ content_filters: [{ blocked: false }] });
    expect(read({ output: [], reasoning: { effort: null } }).echo).toBeUndefined();
    expect(read({ output: [], reasoning: "thought aloud" }).metadata).toEqual({
      reasoning: "thought aloud",
    });
  });

  it("throw failures told with status 200, and what is no answer", () => {
    const failed = thrown({
      status: "failed",
      error: { code: "rate_limit_exceeded", message: "Slow." },
      output: [],
    });
    expect(failed).toMatchObject({
      category: "rate_limit",
      retryable: true,
      partial: { finish: { reason: "error" } },
    });
    expect(thrown({ status: "failed" }).message).toBe("openai failed without saying why");
    expect(thrown({ error: { message: "No." } })).toMatchObject({
      category: "unknown",
      message: "No.",
    });
    expect(thrown("<html>").category).toBe("protocol");
    expect(thrown({ ok: true }).message).toContain("`output`");
  });
});

const usage = (value: unknown, more: Partial<DecodeContext> = {}): object => {
  const { raw: _, ...counts } = read({ output: [], usage: value }, more).usage;
  return counts;
};

describe("usage (D9)", () => {
  it("R131 R137: counts each token once", () => {
    const details = { cached_tokens: 4, cache_write_tokens: 2 };
    const sent = {
      input_tokens: 20,
      input_tokens_details: details,
      output_tokens: 75,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 95,
    };
    expect(usage(sent)).toEqual({
      input: 14,
      cacheRead: 4,
      cacheWrite: 2,
      output: 11,
      thinking: 64,
      thinkingSource: "reported",
      total: 95,
    });
  });

  it("R129 R130: reads the names of Chat Completions", () => {
    const sent = {
      prompt_tokens: 5,
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    expect(usage(sent)).toEqual({ input: 5, output: 6, thinking: 3, thinkingSource: "reported" });
  });

  it("leaves absent what is not said", () => {
    expect(usage(null)).toEqual({});
    expect(usage({})).toEqual({});
    expect(usage({ output_tokens: 5, input_tokens: "7" })).toEqual({ output: 5 });
  });

  it("warns where the counts cannot be right", () => {
    expect(usage({ input_tokens: 1, input_tokens_details: { cached_tokens: 3 } })).toMatchObject({
      input: 0,
      warning: expect.stringContaining("cached"),
    });
    expect(
      usage({ output_tokens: 1, output_tokens_details: { reasoning_tokens: 3 } }),
    ).toMatchObject({ output: 0, warning: expect.stringContaining("reasoning") });
    expect(usage({ input_tokens: 1, output_tokens: 1, total_tokens: 9 })).toMatchObject({
      warning: "total_tokens is 9, prompt and completion are 2",
    });
  });

  it("counts thinking beside the output where a vendor does", () => {
    const sent = {
      input_tokens: 1,
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 6,
    };
    expect(usage(sent, { quirks: { thinkingOutsideOutput: true } })).toEqual({
      input: 1,
      output: 2,
      thinking: 3,
      thinkingSource: "reported",
      total: 6,
    });
  });
});
