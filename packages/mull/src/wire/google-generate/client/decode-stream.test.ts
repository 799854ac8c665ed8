import { describe, expect, test } from "vitest";
import type { StreamEvent } from "../../../types/event.ts";
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

  test("P-F1 R201: text with a signature stays apart from text without", () => {
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

  test("P-F1 D13: signatures on thoughts, and with nothing beside them, are kept in place", () => {
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

  test("perf 3.3: text and thoughts in turns keep to the fast path, with the slow one's events", () => {
    const frames = ["a", "b", "c", "d"].flatMap((text) => [
      chunk([{ text }]),
      chunk([{ text, thought: true }]),
    ]);
    const events = read([...frames, stop]);
    expect(events).toEqual(read([...frames, stop], decodeStream(contextOf(false))));
    expect(replyOf(events).message.parts).toHaveLength(8);
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

  test("several finish reasons: the answer goes on behind the first, and the last counts", () => {
    const decoder = decodeStream(contextOf());
    const out: StreamEvent[] = [];
    const frames = [
      chunk([{ executableCode: { code: "print(6*7)" } }], { finishReason: "STOP" }),
      chunk([{ codeExecutionResult: { output: "42" } }], { finishReason: "STOP" }),
      chunk([{ text: "It is " }]),
      chunk([{ text: "42" }], { finishReason: "MAX_TOKENS" }),
    ];
    for (const frame of frames) {
      decoder.push(frame, undefined, out);
      expect(decoder.finished()).toBe(false);
    }
    decoder.end(out);
    expect(decoder.finished()).toBe(true);
    expect(out.filter(({ type }) => type === "finish")).toHaveLength(1);
    const { message, finish } = replyOf(out);
    expect(message.parts).toMatchObject([
      { type: "opaque" },
      { type: "opaque" },
      { type: "text", text: "It is 42" },
    ]);
    expect(finish).toMatchObject({ reason: "length", raw: "MAX_TOKENS" });
  });

  test("R146 R147 F-S15: arrays, NDJSON lines and a closing marker are frames too", () => {
    const array = JSON.stringify([JSON.parse(chunk([{ text: "a" }])), 7, JSON.parse(stop)]);
    expect(partsOf([array])).toEqual([{ type: "text", text: "a" }]);
    expect(partsOf(["7", chunk([{ text: "a" }]), stop, "[DONE]"])).toEqual([
      { type: "text", text: "a" },
    ]);
    const ended = decodeStream(contextOf());
    expect(read([chunk([{ text: "a" }]), stop], ended).at(-1)?.type).toBe("finish");
    expect(read([], ended)).toEqual([]);
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
    expect(read(frames)).toEqual(read(frames, decodeStream(contextOf(false))));
  });
});
