import type { FinishReason, JsonObject, StreamEvent, WireId } from "mull";
import { replyDecoders } from "mull/wire";
import { openaiResponses } from "mull/openai";
import { describe, expect, it } from "vitest";

import { known, sdkWords, unnamedWords, type PartKind } from "./vendor-words.ts";

const contextOf = (wire: WireId): Parameters<(typeof replyDecoders)[WireId]>[1] => ({
  origin: { wire, provider: "test", model: "m" },
  newId: () => "id",
  now: () => 0,
});

const claude = (type: string, stop_reason: string): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type, text: "x", thinking: "x", signature: "s", data: "d", id: "i", name: "n" }],
  stop_reason,
});

const gpt = (more: JsonObject): JsonObject => ({ id: "resp_1", status: "completed", ...more });

const item = (type: string): JsonObject => ({
  type,
  id: "i",
  call_id: "c",
  name: "n",
  arguments: "{}",
  summary: [],
  content: [{ type: "output_text", text: "x" }],
});

const gemini = (finishReason: string): JsonObject => ({
  candidates: [{ content: { role: "model", parts: [{ text: "x" }] }, finishReason }],
});

const partsIn = (wire: WireId, body: JsonObject): readonly string[] =>
  replyDecoders[wire](body, contextOf(wire)).message.parts.map(({ type }) => type);

const finishIn = (wire: WireId, body: JsonObject): FinishReason =>
  replyDecoders[wire](body, contextOf(wire)).finish.reason;

describe("what the vendors' SDKs name is known", () => {
  it("every event, block and reason has a row", () => {
    const read = Object.values(sdkWords()).map(({ size }) => size);
    expect(Math.min(...read)).toBeGreaterThan(3);
    expect(unnamedWords()).toEqual([]);
  });

  it.each<readonly [string, PartKind]>([...known.anthropicBlocks])(
    "Anthropic's block %s becomes %s",
    (type, kind) => {
      expect(partsIn("anthropic-messages", claude(type, "end_turn"))).toEqual([kind]);
    },
  );

  it.each<readonly [string, PartKind]>([...known.responsesItems])(
    "the item %s of Responses becomes %s",
    (type, kind) => {
      expect(partsIn("openai-responses", gpt({ output: [item(type)] }))).toEqual([kind]);
    },
  );

  it.each<readonly [WireId, string, FinishReason, JsonObject]>([
    ...[...known.anthropicStops].map(
      ([word, reason]) => ["anthropic-messages", word, reason, claude("text", word)] as const,
    ),
    ...[...known.responsesStops].map(
      ([word, reason]) =>
        [
          "openai-responses",
          word,
          reason,
          gpt({ status: "incomplete", incomplete_details: { reason: word }, output: [] }),
        ] as const,
    ),
    ...[...known.chatStops].map(
      ([word, reason]) =>
        [
          "openai-chat",
          word,
          reason,
          { choices: [{ message: { content: "x" }, finish_reason: word }] },
        ] as const,
    ),
    ...[...known.googleStops].map(
      ([word, reason]) => ["google-generate", word, reason, gemini(word)] as const,
    ),
    ...[...known.googleBlocks].map(
      ([word, reason]) =>
        ["google-generate", word, reason, { promptFeedback: { blockReason: word } }] as const,
    ),
  ])("%s: %s ends with %s", (wire, _word, reason, body) => {
    expect(finishIn(wire, body)).toBe(reason);
  });

  it.each([...known.responsesEvents].filter(([, use]) => use !== "read").map(([type]) => type))(
    "Responses: nothing of an answer is lost or doubled by %s",
    (type) => {
      const decoder = openaiResponses.decodeStream(contextOf("openai-responses"));
      const output = [item("message")];
      const frames: readonly JsonObject[] = [
        { type: "response.created", response: gpt({ status: "in_progress", output: [] }) },
        { type, item_id: "i", output_index: 0, content_index: 0, delta: "x", text: "x", code: "x" },
        { type: "response.completed", response: gpt({ output }) },
      ];
      const events: StreamEvent[] = [];
      for (const frame of frames) decoder.push(JSON.stringify(frame), undefined, events);
      expect(decoder.partial().message.parts).toMatchObject([{ type: "text", text: "x" }]);
      expect(events.map((event) => event.type)).toEqual(["start", "text", "part", "finish"]);
    },
  );
});
