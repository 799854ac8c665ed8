import { expect, test } from "vitest";
import { chat } from "./ask.ts";

const ask = { messages: [{ role: "user", parts: [{ type: "text", text: "2 + 2?" }] }] } as const;

const answering = (content: object, usage: object) => (): Promise<Response> => {
  const candidate = { content, finishReason: "MAX_TOKENS", index: 0 };
  const frame = JSON.stringify({ candidates: [candidate], usageMetadata: usage });
  return Promise.resolve(
    new Response(`data: ${frame}\n\n`, { headers: { "content-type": "text/event-stream" } }),
  );
};

test("P-B9 an answer that never began says that thinking took the room, with the number", async () => {
  const fetch = answering(
    { role: "model" },
    { promptTokenCount: 5, thoughtsTokenCount: 1021, totalTokenCount: 1026 },
  );
  const result = await chat("gemini-3.8-flash/high", ask, { fetch, apiKey: "k" });
  expect(result.text).toBe("");
  expect(result.finish.reason).toBe("length");
  const note = result.receipt.notes.find(({ code }) => code === "thinking-exhausted-output");
  expect(note?.message).toContain("1,021 tokens");
});

test("P-B9 an answer that was cut later says nothing of the kind", async () => {
  const fetch = answering(
    { role: "model", parts: [{ text: "Four" }] },
    { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 },
  );
  const result = await chat("gemini-3.8-flash/high", ask, { fetch, apiKey: "k" });
  expect(result.receipt.notes.map(({ code }) => code)).not.toContain("thinking-exhausted-output");
});
