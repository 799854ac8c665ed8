import type { Reply, WireId } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import { checkExtracted, checkTokens, loadFixture } from "./thinking-checks.ts";

const read = (wire: WireId, body: object): Reply =>
  readExchange({ wire, body: JSON.stringify(body), model: "any" });

const partsOf = (reply: Reply) =>
  reply.message.parts.map((part) => [part.type, "text" in part ? part.text : ""]);

/** The documents keep the thinking under `text`, the service under `thinking`. */
const blocks = (field: string) => ({
  type: "message",
  role: "assistant",
  content: [
    { type: "thinking", [field]: "First this.", signature: "c2Vh" },
    { type: "text", text: "4" },
  ],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 2 },
});

describe("extraction", () => {
  test("R342 R98 R99 R101 test_thinking_extraction_anthropic: thinking blocks", async () => {
    const fixture = await loadFixture("anthropic", "med");
    checkExtracted(fixture);
    const [thinking, text] = fixture.reply.message.parts;
    expect([thinking?.type, text?.type]).toEqual(["thinking", "text"]);
    expect(thinking?.seal?.data).toHaveProperty("signature");
  });

  test("R342 R100 D8 test_thinking_extraction_anthropic: thinking under either name", () => {
    for (const field of ["thinking", "text"]) {
      expect(partsOf(read("anthropic-messages", blocks(field)))).toEqual([
        ["thinking", "First this."],
        ["text", "4"],
      ]);
    }
  });

  test("R343 R103 R104 test_thinking_extraction_openai: reasoning summaries", async () => {
    const fixture = await loadFixture("openai", "med");
    checkExtracted(fixture);
    expect(fixture.reply.message.parts[0]).toMatchObject({
      type: "thinking",
      visibility: "summary",
    });
  });

  test("R343 R102 D8 test_thinking_extraction_openai: items named reasoning_content", () => {
    const body = {
      id: "resp_1",
      object: "response",
      status: "completed",
      output: [
        {
          type: "message",
          role: "assistant",
          content: [
            { type: "reasoning_content", reasoning_content: "First this." },
            { type: "output_text", text: "4", annotations: [] },
          ],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    };
    expect(partsOf(read("openai-responses", body))).toEqual([
      ["thinking", "First this."],
      ["text", "4"],
    ]);
  });

  test.each(["reasoning_content", "reasoning"])(
    "R343 R113 test_thinking_extraction_openai: %s of Chat Completions",
    (field) => {
      const message = { role: "assistant", content: "4", [field]: "First this." };
      const body = { choices: [{ index: 0, message, finish_reason: "stop" }] };
      expect(partsOf(read("openai-chat", body))).toEqual([
        ["thinking", "First this."],
        ["text", "4"],
      ]);
    },
  );

  test("R344 R106 R107 R108 test_thinking_extraction_google: thought parts", async () => {
    const fixture = await loadFixture("google", "med");
    checkExtracted(fixture);
    expect(fixture.reply.message.parts).toHaveLength(2);
  });

  test("R344 R105 D8 test_thinking_extraction_google: a thoughts string", () => {
    const content = { role: "model", thoughts: "First this.", parts: [{ text: "4" }] };
    expect(partsOf(read("google-generate", { candidates: [{ content }] }))).toEqual([
      ["thinking", "First this."],
      ["text", "4"],
    ]);
  });

  test("R345 R125 R126 R127 R128 R307 test_thinking_tokens_anthropic: counts", async () => {
    checkTokens(await loadFixture("anthropic", "med"));
    const content = [{ type: "text", text: "4" }];
    const body = { type: "message", role: "assistant", content, stop_reason: "end_turn" };
    const within = {
      input_tokens: 10,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 30 },
    };
    expect(read("anthropic-messages", { ...body, usage: within }).usage).toMatchObject({
      input: 10,
      output: 20,
      thinking: 30,
      total: 60,
    });
    const beside = { input_tokens: 10, output_tokens: 20, thinking_tokens: 30 };
    expect(read("anthropic-messages", { ...body, usage: beside }).usage).toMatchObject({
      input: 10,
      output: 20,
      thinking: 30,
      total: 60,
    });
  });

  test("R346 R129 R130 R131 R132 R307 test_thinking_tokens_openai: counts", async () => {
    checkTokens(await loadFixture("openai", "med"));
    const message = { role: "assistant", content: "4" };
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 50,
      total_tokens: 60,
      completion_tokens_details: { reasoning_tokens: 30 },
    };
    const body = { choices: [{ index: 0, message, finish_reason: "stop" }], usage };
    expect(read("openai-chat", body).usage).toMatchObject({
      input: 10,
      output: 20,
      thinking: 30,
      total: 60,
    });
  });

  test("R347 R133 R134 R135 R307 D9 test_thinking_tokens_google: counts", async () => {
    checkTokens(await loadFixture("google", "med"));
    const content = { role: "model", parts: [{ text: "4" }] };
    const apart = {
      promptTokenCount: 10,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 60,
    };
    const included = { ...apart, candidatesTokenCount: 50 };
    for (const usageMetadata of [apart, included]) {
      const body = { candidates: [{ content, finishReason: "STOP" }], usageMetadata };
      expect(read("google-generate", body).usage).toMatchObject({
        input: 10,
        output: 20,
        thinking: 30,
        total: 60,
      });
    }
  });

  test("R137 D9 thinking tokens nobody reports are absent, never zero", () => {
    const content = [{ type: "text", text: "4" }];
    const body = { type: "message", role: "assistant", content, stop_reason: "end_turn" };
    const { usage } = read("anthropic-messages", {
      ...body,
      usage: { input_tokens: 10, output_tokens: 20 },
    });
    expect(usage.thinking).toBeUndefined();
    expect(usage.output).toBe(20);
  });

  test("R114 R138 thinking that comes although the least was asked for is read and counted", async () => {
    for (const vendor of ["openai", "google"] as const) {
      const fixture = await loadFixture(vendor, "none");
      checkExtracted(fixture);
      checkTokens(fixture);
      expect(fixture.raw.thinkingPieces).not.toEqual([]);
    }
  });

  test("R280 where none is off, there is nothing to read", async () => {
    const { reply, raw } = await loadFixture("anthropic", "none");
    expect(raw.thinkingPieces).toEqual([]);
    expect(reply.message.parts.map(({ type }) => type)).toEqual(["text"]);
  });
});
