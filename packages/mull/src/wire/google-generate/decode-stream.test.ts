import { describe, expect, test } from "vitest";
import { isMullError, type MullError } from "../../types/error.ts";
import type { StreamEvent } from "../../types/event.ts";
import type { DecodeContext, StreamDecoder } from "../../types/wire.ts";
import { limits } from "../limits.ts";
import { createStreamDecoder, decodeStream } from "./decode-stream.ts";

const origin = { wire: "google-generate", provider: "google", model: "gemini-3.8-flash" } as const;

function contextOf(): DecodeContext {
  let made = 0;
  let clock = 0;
  return { origin, now: () => (clock += 5), newId: () => `local${made++}` };
}

const chunk = (parts: unknown, rest: object = {}, top: object = {}): string =>
  JSON.stringify({
    candidates: [{ content: { parts, role: "model" }, ...rest, index: 0 }],
    usageMetadata: { promptTokenCount: 3, totalTokenCount: 5, candidatesTokenCount: 2 },
    modelVersion: "models/gemini-3.8-flash",
    responseId: "r1",
    ...top,
  });
const stop = chunk([{ text: "" }], { finishReason: "STOP" });

function read(
  frames: readonly string[],
  decoder: StreamDecoder = decodeStream(contextOf()),
): StreamEvent[] {
  const out: StreamEvent[] = [];
  for (const frame of frames) decoder.push(frame, undefined, out);
  decoder.end(out);
  return out;
}

function failure(frames: readonly string[]): MullError {
  try {
    read(frames);
  } catch (error) {
    if (isMullError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const replyOf = (
  events: readonly StreamEvent[],
): Extract<StreamEvent, { type: "finish" }>["reply"] => {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("not finished");
  return last.reply;
};

const partsOf = (frames: readonly string[]): unknown => replyOf(read(frames)).message.parts;

describe("events", () => {
  test("R141 R145 R148 R156: start, deltas one by one, whole parts, one finish", () => {
    const events = read([
      chunk([{ text: "Let me", thought: true }]),
      chunk([{ text: " see.", thought: true }]),
      chunk([{ text: "It is 4" }]),
      chunk([{ text: "." }]),
      stop,
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "thinking",
      "thinking",
      "part",
      "text",
      "text",
      "part",
      "finish",
    ]);
    expect(events[0]).toEqual({ type: "start", id: "r1", model: "gemini-3.8-flash" });
    expect(events[3]).toEqual({
      type: "part",
      index: 0,
      part: {
        type: "thinking",
        text: "Let me see.",
        visibility: "summary",
        startedAt: 5,
        durationMs: 5,
      },
    });
    expect(replyOf(events)).toMatchObject({
      finish: { reason: "stop", raw: "STOP" },
      usage: { input: 3, output: 2, total: 5 },
      id: "r1",
      servedModel: "gemini-3.8-flash",
    });
  });

  test("F1 R201: text with a signature stays apart from text without", () => {
    const seal = { origin, data: { thoughtSignature: "c2ln" } };
    expect(
      partsOf([
        chunk([{ text: "a" }]),
        chunk([{ text: "b", thoughtSignature: "c2ln" }]),
        chunk([{ text: "c" }]),
        chunk([{ text: "", thoughtSignature: "c2ln" }], { finishReason: "STOP" }),
      ]),
    ).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b", seal },
      { type: "text", text: "c" },
      { type: "text", text: "", seal },
    ]);
  });

  test("F1 D13: signatures on thoughts, and with nothing beside them, are kept in place", () => {
    const seal = { origin, data: { thoughtSignature: "c2ln" } };
    expect(
      partsOf([
        chunk([{ text: "hm", thought: true, thoughtSignature: "c2ln" }]),
        chunk([{ text: "", thought: true, thoughtSignature: "c2ln" }]),
        chunk([{ thoughtSignature: "c2ln" }, {}]),
        stop,
      ]),
    ).toEqual([
      { type: "thinking", text: "hm", visibility: "summary", seal, startedAt: 5, durationMs: 5 },
      { type: "thinking", text: "", visibility: "hidden", seal, startedAt: 15, durationMs: 5 },
      { type: "text", text: "", seal },
    ]);
  });

  test("R120 R122 R149: calls come whole; without an id each gets one of its own", () => {
    const events = read([
      chunk(
        [
          { functionCall: { id: "srv1", name: "f", args: { a: 1 } }, thoughtSignature: "c2ln" },
          { functionCall: { name: "g" } },
          { functionCall: { name: "g", args: {} } },
        ],
        { finishReason: "STOP", finishMessage: "Model generated function call(s)." },
      ),
    ]);
    expect(events.slice(1, 4)).toMatchObject([
      { type: "tool-call", index: 0, id: "srv1", name: "f" },
      { type: "tool-input", index: 0, delta: '{"a":1}' },
      {
        type: "part",
        index: 0,
        part: { input: { a: 1 }, seal: { data: { thoughtSignature: "c2ln" } } },
      },
    ]);
    expect(replyOf(events).message.parts.slice(1)).toEqual([
      { type: "tool-call", id: "local0", localId: true, name: "g", input: {} },
      { type: "tool-call", id: "local1", localId: true, name: "g", input: {} },
    ]);
    expect(replyOf(events).finish).toEqual({
      reason: "tool-calls",
      raw: "STOP",
      note: "Model generated function call(s).",
    });
  });

  test("R105 R145 D8: a thoughts string is thinking, unless thought parts say the same", () => {
    const thoughts = JSON.stringify({
      candidates: [{ content: { thoughts: "hm", parts: [{ text: "a" }] } }],
    });
    const beside = JSON.stringify({
      candidates: [
        {
          thoughts: "hm",
          content: { parts: [{ text: "hm", thought: true }] },
          finishReason: "STOP",
        },
      ],
    });
    expect(partsOf([thoughts, beside])).toMatchObject([
      { type: "thinking", text: "hm" },
      { type: "text", text: "a" },
      { type: "thinking", text: "hm" },
    ]);
  });

  test("R110 R111: grounding, ratings, tokens and other candidates are kept beside the reply", () => {
    const reply = replyOf(
      read([
        chunk([{ text: "a" }], { continuationToken: "t1" }),
        JSON.stringify({
          candidates: [
            {
              content: { parts: [{ text: "b" }] },
              finishReason: "CONTINUATION",
              continuationToken: "t2",
              groundingMetadata: { webSearchQueries: ["q"] },
              safetyRatings: [{ category: "c", probability: "LOW" }],
            },
            { content: { parts: [{ text: "other" }] }, index: 1 },
          ],
          createTime: "now",
        }),
      ]),
    );
    expect(reply.finish).toEqual({ reason: "length", raw: "CONTINUATION" });
    expect(reply.message.parts).toEqual([{ type: "text", text: "ab" }]);
    expect(reply.metadata).toEqual({
      continuationToken: "t2",
      groundingMetadata: { webSearchQueries: ["q"] },
      safetyRatings: [{ category: "c", probability: "LOW" }],
      createTime: "now",
      alternatives: [{ content: { parts: [{ text: "other" }] }, index: 1 }],
    });
  });

  test("a refused prompt ends the stream", () => {
    const feedback = { blockReason: "SAFETY", blockReasonMessage: "No." };
    const reply = replyOf(read([JSON.stringify({ promptFeedback: feedback })]));
    expect(reply.finish).toEqual({ reason: "content-filter", raw: "SAFETY", note: "No." });
    expect(reply.metadata).toEqual({ promptFeedback: feedback });
    const silent = { promptFeedback: { blockReason: "OTHER" } };
    expect(replyOf(read([JSON.stringify(silent)])).finish.note).toBe("The prompt was blocked.");
    const unset = { promptFeedback: { blockReason: "BLOCK_REASON_UNSPECIFIED" } };
    expect(failure([JSON.stringify(unset)]).code).toBe("truncated");
  });

  test("R146 R147 S15: arrays, NDJSON lines and a closing marker are frames too", () => {
    const array = JSON.stringify([JSON.parse(chunk([{ text: "a" }])), 7, JSON.parse(stop)]);
    expect(partsOf([array])).toEqual([{ type: "text", text: "a" }]);
    expect(partsOf(["7", chunk([{ text: "a" }]), stop, "[DONE]"])).toEqual([
      { type: "text", text: "a" },
    ]);
    const marked = decodeStream(contextOf());
    marked.push("[DONE]", undefined, []);
    expect(marked.finished()).toBe(false);
  });

  test("R150: the last counts win; Vertex's middle frames without counts take nothing away", () => {
    const traffic = { usageMetadata: { trafficType: "ON_DEMAND" } };
    const frames = [
      chunk([{ text: "a" }], {}, traffic),
      chunk([{ text: "b" }]),
      chunk([{ text: "c" }]),
      chunk([{ text: "" }], { finishReason: "STOP" }, traffic),
    ];
    expect(replyOf(read(frames)).usage).toMatchObject({
      total: 5,
      raw: { promptTokenCount: 3, trafficType: "ON_DEMAND" },
    });
    expect(read(frames)).toEqual(read(frames, createStreamDecoder(contextOf(), false)));
  });
});

describe("faults", () => {
  test("S8: a repeated call, closing piece or last frame doubles nothing", () => {
    const call = { functionCall: { id: "x", name: "f", args: { a: 1 } } };
    const decoder = decodeStream(contextOf());
    const events = read(
      [chunk([call]), chunk([call, { functionCall: {} }]), stop, stop, chunk([{ text: "late" }])],
      decoder,
    );
    expect(decoder.finished()).toBe(true);
    expect(events.filter(({ type }) => type === "finish")).toHaveLength(1);
    expect(replyOf(events).message.parts).toHaveLength(1);
    expect(decoder.partial()).toBe(replyOf(events));
  });

  test("S8: two calls that were given one id are both kept", () => {
    const call = (a: number): unknown => ({ functionCall: { id: "x", name: "f", args: { a } } });
    expect(partsOf([chunk([call(1), call(2)]), stop])).toMatchObject([
      { id: "x", input: { a: 1 } },
      { id: "local0", localId: true, input: { a: 2 } },
    ]);
  });

  test("S9: arguments of a call that was never opened are refused by name", () => {
    const error = failure([
      chunk([{ text: "a" }]),
      chunk([{ functionCall: { partialArgs: [{}] } }]),
    ]);
    expect(error).toMatchObject({ category: "protocol", code: "unexpected_part" });
    expect(error.message).toContain("functionCall.partialArgs");
    expect(error.partial?.message.parts).toMatchObject([{ text: "a", cut: true, send: false }]);
  });

  test("S9: parts are counted", () => {
    const many = Array.from({ length: limits.blocks + 1 }, () => ({ functionCall: { name: "f" } }));
    expect(failure([chunk(many)])).toMatchObject({ category: "protocol", code: "too_many_parts" });
  });

  test("S11: names of Object's own are data", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const frame = `{"candidates":[{"content":{"parts":[${names
      .map((name) => `{"functionCall":{"id":"${name}","name":"${name}","args":{"${name}":1}}}`)
      .join()}]},"finishReason":"STOP","__proto__":{"polluted":true}}],"constructor":1}`;
    const reply = replyOf(read([frame]));
    expect(
      reply.message.parts.map(
        (part) => part.type === "tool-call" && Object.keys(Object(part.input)),
      ),
    ).toEqual(names.map((name) => [name]));
    expect(Object.keys(reply.metadata ?? {})).toEqual(["__proto__", "constructor"]);
    expect("polluted" in {}).toBe(false);
  });

  test("S14: invalid JSON is named by frame and place, not quoted", () => {
    const error = failure([chunk([{ text: "a" }]), '{"candidates": secret']);
    expect(error).toMatchObject({ category: "protocol", code: "invalid_json" });
    expect(error.message).toMatch(/^streamGenerateContent: frame 2 is not valid JSON \(at 15\)$/);
    expect(failure(['{"a":']).message).toContain("frame 1");
    const escape = chunk([{ text: "b" }]).replace('"b"', String.raw`"\q"`);
    expect(failure([chunk([{ text: "a" }]), escape]).code).toBe("invalid_json");
  });

  test("S16: unknown parts are kept verbatim, unknown reasons are failures with a note", () => {
    const reply = replyOf(
      read([
        chunk(
          [
            { executableCode: { code: "1" }, thoughtSignature: "c2ln" },
            { hologram: { x: 1 }, thought: true },
            { inlineData: { mimeType: "image/png", data: "AA==" } },
          ],
          { finishReason: "MOON" },
        ),
      ]),
    );
    expect(reply.message.parts).toEqual([
      {
        type: "opaque",
        wire: "google-generate",
        kind: "executableCode",
        data: { executableCode: { code: "1" } },
        seal: { origin, data: { thoughtSignature: "c2ln" } },
      },
      {
        type: "opaque",
        wire: "google-generate",
        kind: "hologram",
        data: { hologram: { x: 1 }, thought: true },
      },
      { type: "file", mediaType: "image/png", source: { type: "base64", data: "AA==" } },
    ]);
    expect(reply.finish).toEqual({
      reason: "error",
      raw: "MOON",
      note: "The service ended the answer with MOON.",
    });
  });

  test("S17 S18: a cut stream keeps finished parts whole and the open one unsendable", () => {
    const error = failure([
      chunk([{ functionCall: { id: "x", name: "f" }, thoughtSignature: "c2ln" }]),
      chunk([{ text: "so far", thought: true }]),
    ]);
    expect(error).toMatchObject({ category: "protocol", code: "truncated", provider: "google" });
    expect(error.partial?.message).toMatchObject({
      interrupted: true,
      parts: [
        { type: "tool-call", seal: { data: { thoughtSignature: "c2ln" } } },
        { type: "thinking", text: "so far", cut: true, send: false },
      ],
    });
    expect(error.partial?.usage.total).toBe(5);
    expect(failure([]).partial?.message.parts).toEqual([]);
  });

  test("S18: a streamed call that was cut loses its signature", () => {
    const { partial } = failure([
      chunk([{ functionCall: { name: "f", willContinue: true }, thoughtSignature: "c2ln" }]),
      chunk([
        {
          functionCall: {
            partialArgs: [{ jsonPath: "$.a", stringValue: "x" }],
            willContinue: true,
          },
        },
      ]),
    ]);
    expect(partial?.message.parts).toEqual([
      {
        type: "tool-call",
        id: "local0",
        localId: true,
        name: "f",
        input: { a: "x" },
        cut: true,
        send: false,
      },
    ]);
  });

  test("S20 S21: arguments that are no object, or too deep, mark the call invalid", () => {
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    const frame = chunk([
      { functionCall: { name: "f", args: 1 } },
      { functionCall: { name: "f", args: "DEEP" } },
    ]).replace('"DEEP"', deep);
    expect(partsOf([frame, stop])).toMatchObject([
      { input: {}, invalid: { raw: "1", reason: "arguments are not a JSON object" } },
      { input: {}, invalid: { reason: "arguments are nested deeper than 512 levels" } },
    ]);
  });

  test("S23: lone surrogates stay as they are", () => {
    const frames = [
      chunk([{ text: "x" }]),
      chunk([{ text: "\ud83d" }]),
      chunk([{ text: "\ude00" }]),
      stop,
    ];
    expect(partsOf(frames)).toEqual([{ type: "text", text: "x\ud83d\ude00" }]);
  });

  test("R168 R8: an error in the stream is typed and keeps what came before", () => {
    const error = failure([
      chunk([{ text: "a" }]),
      '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
    ]);
    expect(error).toMatchObject({
      category: "overloaded",
      status: 503,
      code: "UNAVAILABLE",
      retryable: true,
    });
    expect(error.partial?.message.parts).toMatchObject([{ text: "a", cut: true }]);
    expect(failure(['{"error":7}'])).toMatchObject({
      category: "unknown",
      message: "The service sent an unreadable error.",
    });
  });
});
