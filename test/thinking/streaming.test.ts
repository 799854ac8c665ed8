import { Agent, type AgentChunk, type StreamEvent, type WireId } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import { checkDeltas, checkEventOrder, deltasOf } from "../contract/check-events.ts";
import { onlyExchange } from "../contract/checks.ts";
import { openCassette, playScenario } from "../contract/play-scenario.ts";
import { thinkingCassette, thinkingQuestion } from "../contract/scenarios/thinking.ts";
import { checkExtracted, checkTokens, loadFixture } from "./thinking-checks.ts";

const vendors = ["anthropic", "openai", "google"] as const;

/** How each service's thinking looks on the wire. */
const wireForms = {
  anthropic: /"type":"content_block_delta".*"type":"thinking_delta"/,
  openai: /"type":"response\.reasoning_summary_text\.delta"/,
  google: /"thought":true/,
} as const;

const streamTurn = async (vendor: (typeof vendors)[number]) => {
  const { model, ...connection } = openCassette(thinkingCassette(vendor, "streaming"));
  const agent = new Agent(`${model}/med`, { ...connection, env: {} });
  const stream = agent.sendStream(thinkingQuestion);
  const chunks: AgentChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { chunks, result: await stream.result() };
};

const eventsOf = (wire: WireId, frames: readonly object[]): readonly StreamEvent[] => {
  const events: StreamEvent[] = [];
  readExchange({
    wire,
    model: "any",
    stream: true,
    body: frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""),
    onEvent: (event) => events.push(event),
  });
  return events;
};

const chatChunk = (delta: object, finish: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const googleChunk = (content: object, finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts: [], ...content }, finishReason }],
});

describe("streaming", () => {
  test.each(vendors)(
    "R352 R141 R142 R144 R145 R153 test_thinking_streaming_content: %s",
    async (vendor) => {
      const fixture = await loadFixture(vendor, "streaming");
      const { outcome, wire } = fixture;
      expect(onlyExchange(outcome).response.text).toMatch(wireForms[vendor]);
      checkEventOrder(outcome, wire);
      checkDeltas(outcome, wire, "thinking");
      checkDeltas(outcome, wire, "text");
      checkExtracted(fixture);
      checkTokens(fixture);
    },
  );

  test("R143 D8 test_thinking_streaming_content: reasoning_content deltas", () => {
    const events = eventsOf("openai-chat", [
      chatChunk({ role: "assistant", reasoning_content: "First " }),
      chatChunk({ reasoning_content: "this." }),
      chatChunk({ content: "4" }),
      chatChunk({}, "stop"),
    ]);
    expect(deltasOf(events, "thinking")).toEqual(["First ", "this."]);
    expect(deltasOf(events, "text")).toEqual(["4"]);
  });

  test("R145 D8 test_thinking_streaming_content: a thoughts field in chunks", () => {
    const events = eventsOf("google-generate", [
      googleChunk({ thoughts: "First " }),
      googleChunk({ thoughts: "this." }),
      googleChunk({ parts: [{ text: "4" }] }, "STOP"),
    ]);
    expect(deltasOf(events, "thinking").join("")).toBe("First this.");
    expect(deltasOf(events, "text")).toEqual(["4"]);
  });

  test.each(vendors)("R156 R157 R158 R161 R162 D14 each delta is one chunk: %s", async (vendor) => {
    const { chunks, result } = await streamTurn(vendor);
    const thinking = chunks.filter((chunk) => chunk.thinking !== undefined);
    expect(thinking.length).toBeGreaterThan(1);
    for (const chunk of thinking) {
      expect(chunk.metadata.thinking).toBe(chunk.thinking);
      expect(chunk.output).toEqual({ role: "model", parts: [] });
      expect(chunk.messages).toEqual([]);
      expect(chunk.usage).toBeUndefined();
    }
    const firstText = chunks.findIndex((chunk) => chunk.text !== undefined);
    expect(chunks.indexOf(thinking[0]!)).toBeLessThan(firstText);
    expect(thinking.map((chunk) => chunk.thinking).join("")).toBe(result.thinking);
    expect(result.metadata.thinking).toBe(result.thinking);
    expect(chunks.at(-1)?.thinking).toBeUndefined();
  });

  test.each([1, 3, 17, 4096])(
    "F-S1 cut into pieces of %i bytes nothing changes",
    async (chunkSize) => {
      for (const vendor of vendors) {
        const cassette = thinkingCassette(vendor, "streaming");
        const [whole, cut] = [
          await playScenario(cassette),
          await playScenario(cassette, { chunkSize }),
        ];
        expect(cut.events.filter(({ type }) => type !== "part" && type !== "finish")).toEqual(
          whole.events.filter(({ type }) => type !== "part" && type !== "finish"),
        );
        expect(cut.result?.thinking).toBe(whole.result?.thinking);
      }
    },
  );
});
