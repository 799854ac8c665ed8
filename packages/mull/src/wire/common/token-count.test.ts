import { describe, expect, test } from "vitest";
import { costOf } from "../../catalogue/cost.ts";
import { findModel } from "../../catalogue/find-model.ts";
import type { WireId } from "../../types/message.ts";
import type { Usage } from "../../types/usage.ts";
import { replyDecoders } from "../reply-decoders.ts";

const read = (wire: WireId, body: unknown): Usage => {
  const { raw: _, ...usage } = replyDecoders[wire](body, {
    origin: { wire, provider: "any", model: "m" },
    now: () => 0,
    newId: () => "id",
  }).usage;
  return usage;
};

type Counts = readonly [input: number, output: number, thinking: number, cached: number];

/** An answer of each wire that says these counts. */
const answers: Readonly<Record<WireId, (counts: Counts) => Usage>> = {
  "anthropic-messages": ([input, output, thinking, cached]) =>
    read("anthropic-messages", {
      content: [],
      stop_reason: "end_turn",
      usage: {
        input_tokens: input,
        output_tokens: output,
        output_tokens_details: { thinking_tokens: thinking },
        cache_read_input_tokens: cached,
      },
    }),
  "openai-responses": ([input, output, thinking, cached]) =>
    read("openai-responses", {
      output: [],
      status: "completed",
      usage: {
        input_tokens: input,
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: thinking },
        input_tokens_details: { cached_tokens: cached },
      },
    }),
  "openai-chat": ([input, output, thinking, cached]) =>
    read("openai-chat", {
      choices: [{ message: { content: "x" }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        completion_tokens_details: { reasoning_tokens: thinking },
        prompt_tokens_details: { cached_tokens: cached },
      },
    }),
  "google-generate": ([input, output, thinking, cached]) =>
    read("google-generate", {
      candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output,
        thoughtsTokenCount: thinking,
        cachedContentTokenCount: cached,
      },
    }),
};

describe.each(Object.entries(answers))("counts on %s", (_wire, usageOf) => {
  test.each([-1_000_000, -1, 0.5, 1e300, Number.MAX_SAFE_INTEGER])(
    "a count of %d tokens is not known",
    (wrong) => {
      expect(usageOf([10, 9, wrong, 0])).not.toHaveProperty("thinking");
      expect(usageOf([10, 9, wrong, 0])).toMatchObject({ input: 10, output: 9 });
      expect(usageOf([wrong, 9, 0, 0])).not.toHaveProperty("input");
      expect(usageOf([10, 9, 0, wrong])).not.toHaveProperty("cacheRead");
    },
  );
});

test("Gemini without candidatesTokenCount: the output is the thinking, and has its price", () => {
  const usage = read("google-generate", {
    candidates: [{ content: { parts: [] }, finishReason: "MAX_TOKENS" }],
    usageMetadata: { promptTokenCount: 30, thoughtsTokenCount: 1600, totalTokenCount: 1630 },
  });
  expect(usage).toEqual({
    input: 30,
    output: 0,
    thinking: 1600,
    thinkingSource: "reported",
    total: 1630,
  });
  expect(costOf(usage, findModel("gemini-3.8-flash"))?.thinking).toBeGreaterThan(0);
  const more = { promptTokenCount: 30, thoughtsTokenCount: 1600, totalTokenCount: 1637 };
  const body = { candidates: [{ finishReason: "STOP" }], usageMetadata: more };
  expect(read("google-generate", body)).toMatchObject({ output: 7, thinking: 1600 });
});
