import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../../test/runs.ts";
import type { Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Origin, Seal } from "../../../types/message.ts";
import type { DecodeContext, ServeContext } from "../../../types/wire.ts";
import { openaiResponses } from "../index.ts";
import { openaiResponsesMirror } from "./mirror.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decode } from "../client/decode.ts";

const origin: Origin = { wire: "openai-responses", provider: "openai", model: "gpt-6-sol" };
const context: DecodeContext = {
  origin,
  now: () => 5,
  newId: () => "made-here",
  hotReader: createHotReader,
};
const serve: ServeContext = {
  model: "gpt-6-sol",
  id: "resp_0",
  created: 1,
  pieces: (text) => [text],
};
const seal = (data: JsonObject): { readonly seal: Seal } => ({ seal: { origin, data } });

function readStream(reply: Reply, pieces: ServeContext["pieces"]): Reply {
  const decoder = openaiResponses.decodeStream(context);
  const out: StreamEvent[] = [];
  for (const { data, event } of openaiResponsesMirror.encodeStream(reply, { ...serve, pieces })) {
    decoder.push(data, event, out);
  }
  decoder.end(out);
  return decoder.partial();
}
const readWhole = (reply: Reply): Reply =>
  decode(openaiResponsesMirror.encodeReply(reply, serve), context);

/** Streams stamp the time; whole answers cannot. */
const untimed = (reply: Reply): Reply => ({
  ...reply,
  message: {
    ...reply.message,
    parts: reply.message.parts.map((part) => {
      if (part.type !== "thinking") return part;
      const { startedAt: _at, durationMs: _for, ...rest } = part;
      return rest;
    }),
  },
});

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "\n\n", '"', "\\"));
const some = fc.string({ minLength: 1 });
const id = (prefix: string): fc.Arbitrary<string> =>
  fc.uuid().map((value) => `${prefix}_${value.replaceAll("-", "")}`);

const thinkingPart = fc
  .record({
    id: id("rs"),
    summary: fc.array(some, { maxLength: 3 }),
    sealed: fc.option(some),
    full: fc.boolean(),
  })
  .map(({ id: itemId, summary, sealed, full }): AssistantPart => {
    const list = summary.map((each) => ({
      type: full ? "reasoning_text" : "summary_text",
      text: each,
    }));
    const data = {
      id: itemId,
      summary: full ? [] : list,
      ...(full && { content: list }),
      ...(sealed !== null && { encrypted_content: sealed }),
    };
    const shown = summary.join("\n\n");
    const visibility = shown === "" ? "hidden" : full ? "full" : "summary";
    return { type: "thinking", text: shown, visibility, ...seal(data) };
  });
const textPart = fc
  .record({ id: id("msg"), text, refusal: fc.boolean(), note: fc.boolean() })
  .map(({ id: itemId, text: said, refusal, note }): AssistantPart => ({
    type: "text",
    text: said,
    ...(refusal && { refusal: true }),
    ...seal({ id: itemId, phase: "final_answer" }),
    ...(note &&
      !refusal && { extra: { wire: "openai-responses", fields: { annotations: [{ url: "u" }] } } }),
  }));
const callPart = fc
  .record({
    id: id("fc"),
    call: some,
    name: some,
    input: fc.dictionary(fc.string(), fc.jsonValue()),
    free: fc.option(text),
  })
  .map(({ id: itemId, call, name, input, free }): AssistantPart => ({
    type: "tool-call",
    id: call,
    name,
    input: free ?? (JSON.parse(JSON.stringify(input)) as JsonObject),
    ...seal({ id: itemId }),
  }));
const opaquePart = id("ws").map((itemId): AssistantPart => ({
  type: "opaque",
  wire: "openai-responses",
  kind: "web_search_call",
  data: { type: "web_search_call", id: itemId, status: "completed" },
}));

const anyReply = fc
  .record({
    parts: fc.array(fc.oneof(thinkingPart, textPart, callPart, opaquePart), { maxLength: 6 }),
    counts: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
    cut: fc.boolean(),
  })
  .map(({ parts, counts: [input, output, thinking], cut }): Reply => {
    const raw = {
      input_tokens: input,
      output_tokens: output + thinking,
      output_tokens_details: { reasoning_tokens: thinking },
      total_tokens: input + output + thinking,
    };
    const isCall = parts.some(({ type }) => type === "tool-call");
    const isRefusal = parts.some((part) => part.type === "text" && part.refusal === true);
    return {
      message: { role: "assistant", parts, origin },
      finish: cut
        ? { reason: "length", raw: "incomplete", note: "max_output_tokens" }
        : { reason: isCall ? "tool-calls" : isRefusal ? "refusal" : "stop", raw: "completed" },
      usage: { input, output, thinking, thinkingSource: "reported", total: raw.total_tokens, raw },
      id: "resp_1",
      servedModel: "gpt-6-sol-2026",
      echo: { effort: "low", summary: "auto" },
      metadata: { service_tier: "flex" },
    };
  });

describe("what the mirror writes, the wire reads (R155)", () => {
  it("whole", () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        expect(readWhole(reply)).toEqual(reply);
      }),
      { seed: 11, numRuns: runs(300) },
    );
  });

  it("streamed, cut into any pieces (F-S1)", () => {
    const cutter = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(anyReply, cutter, (reply, size) => {
        const pieces = (whole: string): readonly string[] =>
          whole.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
        expect(untimed(readStream(reply, pieces))).toEqual(reply);
      }),
      { seed: 12, numRuns: runs(300) },
    );
  });
});

describe("what the mirror writes", () => {
  const bare: Reply = {
    message: {
      role: "assistant",
      parts: [
        { type: "thinking", text: "Hm.", visibility: "summary" },
        { type: "thinking", text: "Hm.", visibility: "full" },
        { type: "text", text: "Hello", cut: true },
        {
          type: "tool-call",
          id: "call_1",
          name: "f",
          input: {},
          invalid: { raw: "{", reason: "cut" },
          cut: true,
        },
        { type: "tool-call", id: "call_2", name: "g", input: "ls" },
        { type: "file", mediaType: "image/png", source: { type: "base64", data: "AA==" } },
        { type: "file", mediaType: "image/png", source: { type: "id", id: "f" } },
        { type: "opaque", wire: "google-generate", kind: "x", data: {} },
      ],
    },
    finish: { reason: "stop" },
    usage: { input: 3, cacheRead: 1, output: 2, thinking: 4 },
  };

  it("gives every item an id of the answer, and counts as the service does", () => {
    const body = openaiResponsesMirror.encodeReply(bare, serve);
    expect(body["output"]).toMatchObject([
      { id: "rs_00000", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { id: "rs_00001", content: [{ type: "reasoning_text", text: "Hm." }], summary: [] },
      { id: "msg_00002", status: "incomplete" },
      { id: "fc_00003", call_id: "call_1", arguments: "{", status: "incomplete" },
      { id: "ctc_00004", call_id: "call_2", input: "ls" },
      { id: "ig_00005", type: "image_generation_call", result: "AA==" },
    ]);
    expect(body["usage"]).toEqual({
      input_tokens: 4,
      input_tokens_details: { cached_tokens: 1, cache_write_tokens: 0 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 10,
    });
    expect(openaiResponsesMirror.encodeReply({ ...bare, usage: {} }, serve)["usage"]).toBeNull();
    expect(
      openaiResponsesMirror.encodeReply({ ...bare, usage: { output: 1 } }, serve)["usage"],
    ).toMatchObject({ input_tokens: 0 });
    expect(
      openaiResponsesMirror.encodeReply({ ...bare, usage: { input: 1 } }, serve)["usage"],
    ).toMatchObject({ output_tokens: 0 });
  });

  it.each([
    ["length", "incomplete", { reason: "max_output_tokens" }, null],
    ["content-filter", "incomplete", { reason: "content_filter" }, null],
    ["error", "failed", null, { code: "server_error", message: "The model failed." }],
    ["stop", "completed", null, null],
  ] as const)("tells %s as %s", (reason, status, incomplete_details, error) => {
    const body = openaiResponsesMirror.encodeReply({ ...bare, finish: { reason } }, serve);
    expect(body).toMatchObject({ status, incomplete_details, error });
  });

  it("explains an incomplete answer of unknown reason, and ends a cancelled stream", () => {
    const odd = openaiResponsesMirror.encodeReply(
      { ...bare, finish: { reason: "stop", raw: "incomplete" } },
      serve,
    );
    expect(odd["incomplete_details"]).toEqual({ reason: "max_output_tokens" });
    const events = openaiResponsesMirror.encodeStream(
      { ...bare, finish: { reason: "error", raw: "cancelled" } },
      serve,
    );
    expect(events.at(-1)?.event).toBe("response.failed");
  });

  it("echoes the request", () => {
    const body = {
      model: "gpt-6-sol",
      input: "Hi",
      instructions: "Be brief.",
      reasoning: { effort: "low" },
      store: false,
    };
    const request = openaiResponsesMirror.decodeRequest({
      path: "/v1/responses",
      headers: {},
      body,
    });
    expect(openaiResponsesMirror.encodeReply(bare, { ...serve, request })).toMatchObject({
      model: "gpt-6-sol",
      instructions: "Be brief.",
      reasoning: { effort: "low", summary: null },
      store: false,
    });
  });

  it("streams unknown content and empty texts as they are", () => {
    const parts: readonly AssistantPart[] = [
      {
        type: "opaque",
        wire: "openai-responses",
        kind: "message",
        data: { type: "message", content: [{ type: "output_audio" }, { type: "output_text" }] },
      },
      {
        type: "opaque",
        wire: "openai-responses",
        kind: "reasoning",
        data: { type: "reasoning", summary: [{}], content: [{}] },
      },
      { type: "opaque", wire: "openai-responses", kind: "x", data: {} },
      { type: "text", text: "" },
    ];
    const events = openaiResponsesMirror.encodeStream(
      { ...bare, message: { role: "assistant", parts } },
      serve,
    );
    expect(events.filter(({ event }) => event?.endsWith(".delta"))).toEqual([]);
    expect(events.filter(({ event }) => event === "response.output_item.done")).toHaveLength(4);
  });

  it("keeps the content of one message together", () => {
    const parts = ["a", "b"].map((said): AssistantPart => {
      return { type: "text", text: said, ...seal({ id: "msg_1" }) };
    });
    const body = openaiResponsesMirror.encodeReply(
      { ...bare, message: { role: "assistant", parts } },
      serve,
    );
    expect(body["output"]).toMatchObject([{ content: [{ text: "a" }, { text: "b" }] }]);
  });

  it("spells errors as the service does, whole and streamed", () => {
    const error = {
      status: 400,
      type: "invalid_request_error",
      message: "No.",
      code: "invalid_value",
      param: "input",
    };
    expect(openaiResponsesMirror.encodeError(error)).toEqual({
      error: {
        message: "No.",
        type: "invalid_request_error",
        param: "input",
        code: "invalid_value",
      },
    });
    const plain = { status: 500, type: "server_error", message: "Oops." };
    expect(openaiResponsesMirror.encodeError(plain)).toEqual({
      error: { message: "Oops.", type: "server_error", param: null, code: null },
    });
    const decoder = openaiResponses.decodeStream(context);
    const [first, second] = openaiResponsesMirror.openStream(serve).fail(plain);
    expect(() => decoder.push(first?.data ?? "", first?.event, [])).toThrow("Oops.");
    expect(second?.event).toBe("response.failed");
  });
});

it("two texts of one message stay one message in a stream", () => {
  const content = ["One.", "Two."].map((said) => ({
    type: "output_text",
    text: said,
    annotations: [],
  }));
  const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  const body = { id: "resp_1", model: "gpt-6-sol", status: "completed", output: [item], usage: {} };
  const reply = decode(body, context);
  const read = readStream(reply, serve.pieces);
  expect(read.message.parts).toEqual(reply.message.parts);
});
