import { describe, expect, test } from "vitest";
import type { Reply } from "../../../types/event.ts";
import { decode } from "./decode.ts";
import { finishWord } from "./finish.ts";
import { contextOf, origin } from "../testing/stream.ts";
import { readUsage } from "./usage.ts";

const read = (body: unknown): Reply => decode(body, { ...contextOf(), prefix: "p" });
const answer = (finish: object, parts: unknown = [{ text: "a" }]): unknown => ({
  candidates: [{ content: { parts }, ...finish }],
});

describe("whole answers", () => {
  test("R106 R108 R109 R112: parts in order, without the times of a stream", () => {
    const reply = read({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "hm", thought: true },
              {
                functionCall: { id: "k3x9a1", name: "weather", args: { city: "Oslo" }, later: 1 },
                thoughtSignature: "EpAI",
              },
              { fileData: { fileUri: "gs://x", displayName: "n" }, beside: 1 },
              { fileData: { mimeType: "a/b", fileUri: "gs://y" } },
              { fileData: {} },
              { inlineData: {} },
              { text: "b", mood: "x" },
              { text: "c", thought: true, thoughtSignature: "EpAI" },
            ],
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      modelVersion: "gemini-3.8-flash",
      responseId: "QHi",
    });
    const seal = { origin, prefix: "p", data: { thoughtSignature: "EpAI" } };
    const wire = "google-generate";
    expect(reply).toMatchObject({
      id: "QHi",
      servedModel: "gemini-3.8-flash",
      finish: { reason: "tool-calls" },
    });
    expect(reply.message.parts).toEqual([
      { type: "thinking", text: "hm", visibility: "summary" },
      {
        type: "tool-call",
        id: "k3x9a1",
        name: "weather",
        input: { city: "Oslo" },
        seal,
        extra: { wire, fields: { functionCall: { later: 1 } } },
      },
      {
        type: "file",
        mediaType: "",
        source: { type: "url", url: "gs://x" },
        extra: { wire, fields: { beside: 1, fileData: { displayName: "n" } } },
      },
      { type: "file", mediaType: "a/b", source: { type: "url", url: "gs://y" } },
      { type: "opaque", wire, kind: "fileData", data: { fileData: {} } },
      { type: "opaque", wire, kind: "inlineData", data: { inlineData: {} } },
      { type: "text", text: "b", extra: { wire, fields: { mood: "x" } } },
      { type: "thinking", text: "c", visibility: "summary", seal },
    ]);
  });

  test.each([
    ["R115", { finishReason: "STOP" }, { reason: "stop", raw: "STOP" }],
    ["R116", { finishReason: "MAX_TOKENS" }, { reason: "length", raw: "MAX_TOKENS" }],
    ["R117", { finishReason: "SAFETY" }, { reason: "content-filter", raw: "SAFETY" }],
    ["R118", { finishReason: "RECITATION" }, { reason: "content-filter", raw: "RECITATION" }],
    [
      "R119",
      { finishReason: "OTHER" },
      { reason: "stop", raw: "OTHER", note: "The service stopped for a reason it does not name." },
    ],
    ["D11", { finishReason: "IMAGE_SAFETY" }, { reason: "content-filter", raw: "IMAGE_SAFETY" }],
    [
      "D11",
      { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "m" },
      { reason: "error", raw: "MALFORMED_FUNCTION_CALL", note: "m" },
    ],
    ["D8", { finishReason: 1 }, { reason: "stop", raw: "1" }],
    ["D8", {}, { reason: "stop", note: "The service gave no finish reason." }],
    ["D8", { finishMessage: "m" }, { reason: "stop", note: "m" }],
  ])("%s: %j", (_, finish, wanted) => {
    expect(read(answer(finish)).finish).toEqual(wanted);
  });

  test("D8: a call without a finish reason is still a call; unset reasons are none", () => {
    const calls = [{ functionCall: { name: "f" } }];
    expect(read(answer({ finishReason: "FINISH_REASON_UNSPECIFIED" }, calls)).finish.reason).toBe(
      "tool-calls",
    );
    expect(finishWord(0)).toBeUndefined();
  });

  test("thinking that used up the output says so; contents may be missing", () => {
    const usageMetadata = { promptTokenCount: 6, thoughtsTokenCount: 20, totalTokenCount: 26 };
    const reply = read({
      candidates: [{ content: {}, finishReason: "MAX_TOKENS" }, 7],
      usageMetadata,
    });
    expect(reply.finish.note).toBe("Thinking used up the output limit; there is no answer.");
    expect(reply.message.parts).toEqual([]);
    expect(read({ candidates: [{ finishReason: "MAX_TOKENS" }] }).finish.note).toBeUndefined();
  });

  test("D8: the array of a stream that was not asked for as events is one answer", () => {
    expect(read([answer({}), answer({ finishReason: "STOP" })])).toMatchObject({
      message: { parts: [{ text: "aa" }] },
      finish: { raw: "STOP" },
    });
  });

  test("F-N7 F-N8: no candidates is an error, an error in the body the service's", () => {
    const empty = expect.objectContaining({ category: "protocol", code: "empty_response" });
    expect(() => read({})).toThrow(empty);
    expect(() => read("text")).toThrow(empty);
    expect(() =>
      read({ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "slow" } }),
    ).toThrow("slow");
    expect(read({ promptFeedback: { blockReason: "SAFETY" } }).finish.reason).toBe(
      "content-filter",
    );
  });
});

describe("usage", () => {
  test("R133 R136 P-H3: thoughts are outside the candidates", () => {
    const raw = {
      promptTokenCount: 10,
      candidatesTokenCount: 48,
      thoughtsTokenCount: 540,
      totalTokenCount: 598,
    };
    expect(readUsage(raw)).toEqual({
      input: 10,
      output: 48,
      thinking: 540,
      thinkingSource: "reported",
      total: 598,
      raw,
    });
  });

  test("R134 D9: where the total says that they are inside, they are taken out", () => {
    const raw = {
      promptTokenCount: 801,
      candidatesTokenCount: 1519,
      thoughtsTokenCount: 794,
      totalTokenCount: 2320,
    };
    expect(readUsage(raw)).toMatchObject({ output: 725, thinking: 794, total: 2320 });
  });

  test("D9: cache and tool use are input; absent stays absent; what does not add up is said", () => {
    const raw = {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      cachedContentTokenCount: 4,
      totalTokenCount: 16,
    };
    expect(readUsage(raw)).toEqual({
      input: 11,
      cacheRead: 4,
      total: 16,
      warning: "prompt, tool use, candidates and thoughts make 15, totalTokenCount is 16",
      raw,
    });
    expect(readUsage({ candidatesTokenCount: -1, thoughtsTokenCount: "7" })).toEqual({
      raw: { candidatesTokenCount: -1, thoughtsTokenCount: "7" },
    });
    expect(readUsage(undefined)).toEqual({});
  });
});
