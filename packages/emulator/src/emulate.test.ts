import { describe, expect, it } from "vitest";

import { emulate, type Emulator } from "./emulate.ts";

interface Wire {
  readonly name: string;
  readonly url: string;
  readonly streamUrl?: string;
  readonly headers: Record<string, string>;
  readonly body: (text: string) => Record<string, unknown>;
}

const wires: readonly Wire[] = [
  {
    name: "anthropic",
    url: "http://x/v1/messages",
    headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
    body: (text) => ({
      model: "claude-opus-5-5",
      max_tokens: 4000,
      thinking: { type: "adaptive", display: "summarized" },
      messages: [{ role: "user", content: text }],
    }),
  },
  {
    name: "responses",
    url: "http://x/v1/responses",
    headers: { authorization: "Bearer k" },
    body: (text) => ({
      model: "gpt-6-sol",
      input: text,
      reasoning: { effort: "medium", summary: "auto" },
    }),
  },
  {
    name: "chat",
    url: "http://x/v1/chat/completions",
    headers: { authorization: "Bearer k" },
    body: (text) => ({ model: "gpt-5.1", messages: [{ role: "user", content: text }] }),
  },
  {
    name: "google",
    url: "http://x/v1beta/models/gemini-3.8-flash:generateContent",
    streamUrl: "http://x/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": "k" },
    body: (text) => ({
      contents: [{ role: "user", parts: [{ text }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } },
    }),
  },
];

const send = (fetch: Emulator, wire: Wire, stream: boolean, text: string): Promise<Response> =>
  fetch(stream ? (wire.streamUrl ?? wire.url) : wire.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...wire.headers },
    body: JSON.stringify({
      ...wire.body(text),
      ...(stream && wire.streamUrl === undefined && { stream: true }),
    }),
  });

describe.each(wires)("emulate on $name", (wire) => {
  it("answers whole and says that it is simulated", async () => {
    const answer = await send(emulate({ seed: "a" }), wire, false, "What is 15% of 240?");
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringContaining("36")]);
    expect(text).toContain("Simulated");
    expect(answer.headers.get("x-mull-simulated")).toBe("true");
  });

  it("streams the same answer", async () => {
    const answer = await send(emulate({ seed: "a" }), wire, true, "What is 15% of 240?");
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const text = await answer.text();
    expect(text).toContain("36");
    expect(text.includes("[DONE]")).toBe(wire.name === "chat");
  });

  it("repeats itself with the same seed", async () => {
    const first = await send(emulate({ seed: "b" }), wire, true, "First 5 primes");
    const again = await send(emulate({ seed: "b" }), wire, true, "First 5 primes");
    expect(await again.text()).toBe(await first.text());
  });
});
