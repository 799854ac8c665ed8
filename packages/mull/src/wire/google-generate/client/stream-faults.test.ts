import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../../../test/runs.ts";
import { isMullError } from "../../../types/error.ts";
import { limits } from "../../common/limits.ts";
import { decodeStream } from "./decode-stream.ts";
import {
  chunk,
  contextOf,
  failure,
  origin,
  partsOf,
  read,
  replyOf,
  stop,
} from "../testing/stream.ts";

/** Any error but our own fails the test. */
function attempt(frames: readonly string[]): unknown {
  try {
    return read(frames);
  } catch (error) {
    if (isMullError(error)) return undefined;
    throw error;
  }
}

describe("faults", () => {
  test("F-S8: a repeated call, closing piece or last frame doubles nothing", () => {
    const call = { functionCall: { id: "x", name: "f", args: { a: 1 } } };
    const decoder = decodeStream(contextOf());
    const events = read([chunk([call]), chunk([call, { functionCall: {} }]), stop, stop], decoder);
    expect(decoder.finished()).toBe(true);
    expect(events.filter(({ type }) => type === "finish")).toHaveLength(1);
    expect(replyOf(events).message.parts).toHaveLength(1);
    expect(decoder.partial()).toBe(replyOf(events));
    const end = chunk([{ text: "b" }], { finishReason: "STOP" });
    expect(partsOf([chunk([{ text: "a" }]), end, end])).toEqual([{ type: "text", text: "ab" }]);
  });

  test("F-S8: two calls that were given one id are both kept", () => {
    const calls = [1, 2].map((a) => ({ functionCall: { id: "x", name: "f", args: { a } } }));
    expect(partsOf([chunk(calls), stop])).toMatchObject([
      { id: "x", input: { a: 1 } },
      { id: "local0", localId: true, input: { a: 2 } },
    ]);
  });

  test("F-S9: arguments of a call that was never opened are refused by name", () => {
    const error = failure([
      chunk([{ text: "a" }]),
      chunk([{ functionCall: { partialArgs: [{}] } }]),
    ]);
    expect(error).toMatchObject({ category: "protocol", code: "unexpected_part" });
    expect(error.message).toContain("functionCall.partialArgs");
    expect(error.partial?.message.parts).toMatchObject([{ text: "a", cut: true, send: false }]);
  });

  test("F-S9: parts are counted", () => {
    const many = Array.from({ length: limits.blocks + 1 }, () => ({ functionCall: { name: "f" } }));
    expect(failure([chunk(many)])).toMatchObject({ category: "protocol", code: "too_many_parts" });
  });

  test("F-S11: names of Object's own are data", () => {
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

  test("F-S14: invalid JSON is named by frame and place, not quoted", () => {
    const error = failure([chunk([{ text: "a" }]), '{"candidates": secret']);
    expect(error).toMatchObject({ category: "protocol", code: "invalid_json" });
    expect(error.message).toMatch(
      /^streamGenerateContent: frame 2, after character \d{3} of the data, is not valid JSON$/,
    );
    expect(failure(['{"a":']).message).toContain("frame 1");
    const escape = chunk([{ text: "b" }]).replace('"b"', String.raw`"\q"`);
    expect(failure([chunk([{ text: "a" }]), escape]).code).toBe("invalid_json");
  });

  test("F-S14: counts that no longer parse are passed over", () => {
    const garbled = chunk([{ text: "b" }]).replace('"promptTokenCount":3', '"promptTokenCount":');
    const reply = replyOf(read([chunk([{ text: "a" }]), garbled, stop]));
    expect(reply.message.parts).toEqual([{ type: "text", text: "ab" }]);
  });

  test("F-S9: parts read by the fast path are counted too", () => {
    const calls = Array.from({ length: limits.blocks }, () => ({ functionCall: { name: "f" } }));
    const frames = [chunk(calls), chunk([{ text: "a" }])];
    expect(failure(frames)).toMatchObject({ category: "protocol", code: "too_many_parts" });
    const files = Array.from({ length: limits.blocks - 1 }, () => ({ executableCode: {} }));
    const flips = [chunk(files), chunk([{ text: "a" }]), chunk([{ text: "b", thought: true }])];
    expect(failure(flips)).toMatchObject({ category: "protocol", code: "too_many_parts" });
  });

  test("F-S16: unknown parts are kept verbatim, unknown reasons are failures with a note", () => {
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

  test("F-S17 F-S18: a cut stream keeps finished parts whole and the open one unsendable", () => {
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

  test("F-S18: a streamed call that was cut loses its signature", () => {
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

  test("F-S20 F-S21: arguments that aren't an object, or too deep, mark the call invalid", () => {
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

  test("F-S23: lone surrogates stay as they are", () => {
    const frames = [
      chunk([{ text: "x" }]),
      chunk([{ text: "\ud83d" }]),
      chunk([{ text: "\ude00" }]),
      stop,
    ];
    expect(partsOf(frames)).toEqual([{ type: "text", text: "x\ud83d\ude00" }]);
  });

  test("R168 F-R8: an error in the stream is typed and keeps what came before", () => {
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
      message: "google failed without saying why",
    });
  });

  test("F-S21: what is nested too deep to be written again is left out", () => {
    const deep = `${"[".repeat(6000)}${"]".repeat(6000)}`;
    const frame = (text: string): string => text.replaceAll('"DEEP"', deep);
    const reply = replyOf(
      read([
        frame(chunk([{ hologram: "DEEP" }, { text: "a", beside: "DEEP" }], { grounding: "DEEP" })),
        frame(
          '{"candidates":[{"index":1,"x":"DEEP"}],"usageMetadata":{"promptTokenCount":"DEEP"}}',
        ),
        stop,
      ]),
    );
    expect(reply.message.parts).toEqual([{ type: "text", text: "a" }]);
    expect(reply.metadata).toBeUndefined();
    expect(() => JSON.stringify(reply)).not.toThrow();
    const error = frame('{"error":{"message":"m","details":[{"reason":"r","x":"DEEP"}]}}');
    expect(failure([error]).message).toBe("m");
  });

  test("F-G9: whatever JSON comes, the reader ends or throws its own error", () => {
    const names = [
      "candidates",
      "content",
      "parts",
      "text",
      "thought",
      "functionCall",
      "name",
      "args",
      "partialArgs",
      "jsonPath",
      "stringValue",
      "willContinue",
      "thoughtSignature",
      "finishReason",
      "usageMetadata",
      "promptFeedback",
      "error",
      "message",
      "details",
      "__proto__",
    ];
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, 0, -1, "", "a", "$.a[0]", "STOP"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 }),
      ),
    }));
    const leaf = fc.record({
      candidates: fc.tuple(fc.record({ content: fc.record({ parts: fc.array(value) }) })),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(value, leaf), { maxLength: 4 }), (frames) => {
        const events = attempt(frames.map((frame) => JSON.stringify(frame)));
        expect(events === undefined || Array.isArray(events)).toBe(true);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });
});
