import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Finish, Reply, StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext, ServeContext } from "../../../types/wire.ts";
import { createHotReader } from "../../common/hot-delta.ts";
import { decodeStream } from "../client/decode-stream.ts";
import { readFinish } from "../client/finish.ts";
import { decode } from "../client/decode.ts";
import { googleGenerateMirror } from "./mirror.ts";
import { origin } from "../testing/stream.ts";
import { readUsage } from "../client/usage.ts";

const context: DecodeContext = { origin, now: () => 0, newId: () => "made" };

const word = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
const seal = fc.base64String({ minLength: 4, maxLength: 24 }).map((thoughtSignature) => ({
  seal: { origin, data: { thoughtSignature } },
}));
const maybeSeal = fc.oneof(fc.constant({}), seal);
const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.tuple(word, maybeSeal).map(([text, fields]) => ({ type: "text" as const, text, ...fields })),
  fc.tuple(word, maybeSeal).map(([text, fields]) => ({
    type: "thinking" as const,
    text,
    visibility: "summary" as const,
    ...fields,
  })),
  seal.map((fields) => ({ type: "text" as const, text: "", ...fields })),
  fc.tuple(word, object, maybeSeal).map(([name, input, fields]) => ({
    type: "tool-call" as const,
    id: "made",
    localId: true as const,
    name,
    input: JSON.parse(JSON.stringify(input)),
    ...fields,
  })),
  fc.tuple(fc.base64String(), maybeSeal).map(([data, fields]) => ({
    type: "file" as const,
    mediaType: "image/png",
    source: { type: "base64" as const, data },
    ...fields,
  })),
  fc.tuple(word, maybeSeal).map(([code, fields]) => ({
    type: "opaque" as const,
    wire: "google-generate" as const,
    kind: "executableCode",
    data: { executableCode: { code } },
    ...fields,
  })),
);

const isLoose = (one: AssistantPart | undefined): boolean =>
  (one?.type === "text" || one?.type === "thinking") && one.seal === undefined;

/** Neighbouring unsigned texts of a kind are one part on this wire: only such replies exist. */
const parts = fc.array(part, { maxLength: 6 }).map((list) => {
  const kept: AssistantPart[] = [];
  for (const one of list) {
    const before = kept.at(-1);
    if (!(isLoose(one) && isLoose(before) && before?.type === one.type)) kept.push(one);
  }
  return kept;
});

const reply: fc.Arbitrary<Reply> = fc
  .record({
    parts,
    raw: fc.constantFrom("STOP", "MAX_TOKENS", "SAFETY", "CONTINUATION", "MALFORMED_RESPONSE"),
    note: fc.option(word, { nil: undefined }),
    id: word,
    counts: fc.tuple(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6)),
    grounded: fc.boolean(),
  })
  .map(({ parts: list, raw, note, id, counts: [prompt, candidates, thoughts], grounded }) => {
    const usage = readUsage({
      promptTokenCount: prompt,
      candidatesTokenCount: candidates,
      thoughtsTokenCount: thoughts,
      totalTokenCount: prompt + candidates + thoughts,
    });
    const facts = { raw, message: note, usage };
    const hasCall = list.some(({ type }) => type === "tool-call");
    const hasText = list.some((one) => one.type === "text" && one.text !== "");
    return {
      message: { role: "assistant" as const, parts: list, origin },
      finish: readFinish({ ...facts, hasCall, hasText }),
      usage,
      id,
      servedModel: "gemini-3.8-flash",
      ...(grounded && {
        metadata: {
          groundingMetadata: { webSearchQueries: ["q"] },
          createTime: "now",
          alternatives: [{ index: 1 }],
        },
      }),
    };
  });

const serving = (size: number): ServeContext => ({
  model: "gemini-3.8-flash",
  id: "r1",
  created: 0,
  pieces: (text) =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      text.slice(i * size, (i + 1) * size),
    ),
});

function stream(served: Reply, size: number, fast: boolean): readonly StreamEvent[] {
  const decoder = decodeStream({ ...context, ...(fast && { hotReader: createHotReader }) });
  const out: StreamEvent[] = [];
  for (const { data } of googleGenerateMirror.encodeStream(served, serving(size))) {
    decoder.push(data, undefined, out);
  }
  decoder.end(out);
  return out;
}

/** The times of a stream are the reader's. */
const untimed = (read: Reply): Reply => ({
  ...read,
  message: {
    ...read.message,
    parts: read.message.parts.map((one) => {
      if (one.type !== "thinking") return one;
      const { startedAt: _, durationMs: __, ...rest } = one;
      return rest;
    }),
  },
});

describe("laws", () => {
  test("F: what is served whole is read as it was", () => {
    fc.assert(
      fc.property(reply, (served) => {
        const body: unknown = JSON.parse(
          JSON.stringify(googleGenerateMirror.encodeReply(served, serving(9))),
        );
        expect(decode(body, context)).toEqual(served);
      }),
    );
  });

  test("H R152 R153: what is served in pieces is read as it was, fast and slow", () => {
    fc.assert(
      fc.property(reply, fc.integer({ min: 1, max: 9 }), (served, size) => {
        const events = stream(served, size, true);
        expect(events).toEqual(stream(served, size, false));
        const last = events.at(-1);
        expect(last?.type === "finish" && untimed(last.reply)).toEqual(served);
      }),
    );
  });
});

const served = (finish: Finish, fields: Partial<Reply> = {}): Reply => ({
  message: { role: "assistant", parts: [{ type: "text", text: "abcd" }] },
  finish,
  usage: {},
  ...fields,
});
const firstOf = (body: JsonObject): unknown =>
  Array.isArray(body["candidates"]) && body["candidates"][0];

describe("serving", () => {
  test("P: reasons and counts of other wires are spelled as Google does", () => {
    const body = googleGenerateMirror.encodeReply(
      served(
        { reason: "length", raw: "max_tokens" },
        { usage: { input: 1, cacheRead: 2, output: 3, thinking: 4 } },
      ),
      serving(9),
    );
    expect(firstOf(body)).toMatchObject({ finishReason: "MAX_TOKENS", index: 0 });
    expect(body).toMatchObject({
      modelVersion: "gemini-3.8-flash",
      responseId: "r1",
      usageMetadata: {
        promptTokenCount: 3,
        cachedContentTokenCount: 2,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 4,
        totalTokenCount: 10,
      },
    });
    const bare = googleGenerateMirror.encodeReply(served({ reason: "tool-calls" }), serving(9));
    expect(bare["usageMetadata"]).toMatchObject({ promptTokenCount: 0, totalTokenCount: 0 });
  });

  test("H: counts run, the last frame has the reason and an empty text", () => {
    const frames = googleGenerateMirror
      .encodeStream(served({ reason: "stop" }, { usage: { input: 1, output: 8 } }), serving(2))
      .map(({ data }): JsonObject => JSON.parse(data));
    expect(frames.map((frame) => frame["usageMetadata"])).toMatchObject([
      { candidatesTokenCount: 4, totalTokenCount: 5 },
      { candidatesTokenCount: 8, totalTokenCount: 9 },
      { candidatesTokenCount: 8, totalTokenCount: 9 },
    ]);
    expect(frames.map(firstOf).at(-1)).toEqual({
      content: { parts: [{ text: "" }], role: "model" },
      finishReason: "STOP",
      index: 0,
    });
    const uncounted = googleGenerateMirror.encodeStream(served({ reason: "stop" }), serving(4));
    expect(uncounted).toHaveLength(2);
  });

  test("F: a refused prompt has no candidates", () => {
    const promptFeedback = { blockReason: "SAFETY" };
    const body = googleGenerateMirror.encodeReply(
      served({ reason: "content-filter", raw: "SAFETY" }, { metadata: { promptFeedback } }),
      serving(9),
    );
    expect(body).not.toHaveProperty("candidates");
    expect(body["promptFeedback"]).toEqual(promptFeedback);
  });

  test("I: errors, whole and in the stream", () => {
    const refusal = {
      status: 400,
      type: "invalid_request_error",
      message: "m",
      code: "API_KEY_INVALID",
      details: { a: 1 },
    };
    const body = googleGenerateMirror.encodeError(refusal);
    expect(body).toMatchObject({
      error: {
        code: 400,
        message: "m",
        status: "INVALID_ARGUMENT",
        details: [{ reason: "API_KEY_INVALID" }, { a: 1 }],
      },
    });
    expect(googleGenerateMirror.openStream(serving(1)).fail(refusal)).toEqual([
      { data: JSON.stringify(body) },
    ]);
    expect(googleGenerateMirror.encodeError({ status: 418, type: "tea", message: "m" })).toEqual({
      error: { code: 418, message: "m", status: "UNKNOWN" },
    });
    expect(
      googleGenerateMirror.encodeError({ status: 503, type: "UNAVAILABLE", message: "m" }),
    ).toMatchObject({
      error: { status: "UNAVAILABLE" },
    });
  });
});
