import { chat, countTokens, History, type ChatRequest } from "mull";
import { describe, expect, test } from "vitest";

import { emulate } from "./emulate.ts";

const request: ChatRequest = {
  system: "Be brief.",
  messages: History.empty.append({
    role: "user",
    parts: [{ type: "text", text: "What is 23 * 47? Answer with the number alone." }],
  }).messages,
  tools: [
    {
      name: "weather",
      description: "The weather of a place.",
      inputSchema: { type: "object", properties: { place: { type: "string" } } },
    },
  ],
};

const counting = [
  ["claude-opus-5-5/high", "/v1/messages/count_tokens"],
  ["claude-haiku-4-5/med", "/v1/messages/count_tokens"],
  ["gpt-6-sol/high", "/v1/responses/input_tokens"],
  ["gemini-3.8-flash/low", "/v1beta/models/gemini-3.8-flash:countTokens"],
] as const;

describe("countTokens", () => {
  test.each(counting)("R450 R451 the service of %s counts", async (ref, path) => {
    const emulator = emulate();
    const options = { fetch: emulator, apiKey: "simulated" };
    const counted = await countTokens(ref, request, options);
    expect(emulator.journal().map((entry) => [entry.path, entry.verdict])).toEqual([
      [path, "answered"],
    ]);
    const { usage } = await chat(ref, request, options);
    expect(counted).toEqual({ tokens: usage.input, source: "service" });
  });

  test.each(["max_tokens", "stream", "temperature"])(
    "R451 Anthropic counts no request with %s",
    async (field) => {
      const messages = [{ role: "user", content: "Hi" }];
      const response = await emulate()("https://api.anthropic.com/v1/messages/count_tokens", {
        method: "POST",
        headers: { "anthropic-version": "2023-06-01", "x-api-key": "simulated" },
        body: JSON.stringify({ model: "claude-opus-5-5", messages, [field]: 1 }),
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { message: `${field}: Extra inputs are not permitted` },
      });
    },
  );

  test("R450 Chat Completions has no endpoint, so nothing is sent", async () => {
    const emulator = emulate();
    const counted = await countTokens("openai-chat:gpt-6-sol/high", request, { fetch: emulator });
    expect(counted).toMatchObject({ source: "estimate", reason: /OpenAI.* doesn't count tokens/ });
    expect(counted.tokens).toBeGreaterThan(20);
    expect(emulator.journal()).toEqual([]);
  });

  test.each([404, 405, 501])("R452 a host that answers %i is estimated", async (status) => {
    const nobody = async (): Promise<Response> => new Response("no such page", { status });
    const counted = await countTokens("claude-opus-5-5/low", request, {
      fetch: nobody,
      baseUrl: "https://host.example",
    });
    expect(counted.source).toBe("estimate");
    expect(counted.reason).toContain(`host.example doesn't count tokens (HTTP ${status})`);
  });

  test("R451 what the service would refuse is refused here, too", async () => {
    const broken = countTokens(
      "claude-opus-5-5/low",
      { ...request, extra: { thinking: { type: "enabled", budget_tokens: 5 } } },
      { fetch: emulate(), apiKey: "simulated", heal: "fail" },
    );
    await expect(broken).rejects.toMatchObject({ category: "invalid_argument" });
  });

  test("a misspelt option and a wrong model are refused before anything is sent", async () => {
    const emulator = emulate();
    const typo = { fetch: emulator, apiKey: "k", maxAttemps: 2 };
    await expect(countTokens("gpt-6-sol", request, typo)).rejects.toThrow("maxAttemps");
    const nameless = countTokens("", request, { fetch: emulator });
    await expect(nameless).rejects.toMatchObject({ category: "invalid_argument" });
    expect(emulator.journal()).toEqual([]);
  });

  test("an answer without a count, and one that isn't JSON, are protocol errors", async () => {
    for (const text of ["{}", "[1]", "nothing"]) {
      const empty = async (): Promise<Response> =>
        new Response(text, { headers: { "content-type": "application/json" } });
      const counted = countTokens("gpt-6-sol", request, { fetch: empty, apiKey: "k" });
      await expect(counted).rejects.toMatchObject({ category: "protocol", code: "no_count" });
    }
  });
});
