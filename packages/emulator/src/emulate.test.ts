import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { readToEnd, send, testWires } from "./testing/wires.ts";

describe.each(testWires)("emulate on $name", (wire) => {
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

  it("refuses bodies that aren't JSON, and keys made to fail", async () => {
    const broken = await emulate()(wire.url, { method: "POST", headers: wire.headers, body: "{" });
    expect(broken.status).toBe(400);
    const key = {
      authorization: "Bearer invalid",
      "x-api-key": "invalid",
      "x-goog-api-key": "invalid",
    };
    const [name = ""] = Object.keys(wire.headers);
    const named = Object.entries(key).filter(([header]) => header === name);
    const refused = await send(emulate(), wire, false, "Hi", {
      headers: Object.fromEntries(named),
    });
    expect(refused.status).toBe(wire.name === "google" ? 400 : 401);
    expect(await refused.text()).toMatch(/API key|api-key/);
  });

  it("F-A1 stops when the caller leaves", async () => {
    const left = new AbortController();
    const emulator = emulate({ faults: "pace=5000" });
    const response = await send(emulator, wire, true, "Hi", { signal: left.signal });
    const reading = readToEnd(response);
    left.abort();
    expect((await reading).isBroken).toBe(true);
    const gone = send(emulator, wire, true, "Hi", { signal: left.signal });
    await expect(gone).rejects.toThrow(/abort/i);
  });

  it("P-B9 spends the cap on thinking first, as the service does", async () => {
    const emulator = emulate();
    const cap = {
      anthropic: { max_tokens: 5 },
      responses: { max_output_tokens: 16 },
      chat: { max_completion_tokens: 16, reasoning_effort: "high" },
      google: { generationConfig: { maxOutputTokens: 5 } },
    }[wire.name];
    const answer = await emulator(wire.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...wire.headers },
      body: JSON.stringify({ ...wire.body("What is 15% of 240?"), ...cap }),
    });
    const text = await answer.text();
    expect(text).not.toContain("**36**");
    expect(text).toMatch(/"max_tokens"|"max_output_tokens"|"length"|"MAX_TOKENS"/);
  });
});

describe("emulate", () => {
  it("takes a Request as well as an address", async () => {
    const [wire] = testWires;
    const request = new Request(wire?.url ?? "", {
      method: "POST",
      headers: { ...wire?.headers },
      body: JSON.stringify(wire?.body("Hi")),
    });
    expect((await emulate()(request)).status).toBe(200);
  });

  it("knows the paths of other base URLs, and no others", async () => {
    const emulator = emulate();
    const [wire] = testWires;
    const post = {
      method: "POST",
      headers: { ...wire?.headers },
      body: JSON.stringify(wire?.body("Hi")),
    };
    expect((await emulator("https://any.host/anthropic/v1/messages", post)).status).toBe(200);
    expect((await emulator("https://any.host/v1/nothing", post)).status).toBe(404);
    expect(emulator.journal().at(-1)).toMatchObject({ verdict: "unknown", path: "/v1/nothing" });
  });

  it("knows the paths of Azure and Vertex", async () => {
    const emulator = emulate();
    const azure = await emulator("http://x/openai/deployments/gpt-4.1/chat/completions", {
      method: "POST",
      headers: { "api-key": "k", "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "Hi" }] }),
    });
    const vertex = await emulator(
      "http://x/v1beta1/projects/p/locations/l/publishers/google/models/gemini-3.8-flash:generateContent",
      {
        method: "POST",
        headers: { authorization: "Bearer token" },
        body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }),
      },
    );
    expect([azure.status, vertex.status]).toEqual([200, 200]);
  });

  it("refuses a prompt beyond the window in the service's words", async () => {
    const emulator = emulate();
    const long = "word ".repeat(300_000);
    const answer = await emulator("http://x/v1/messages", {
      method: "POST",
      headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "claude-haiku-4-5",
        max_tokens: 100,
        messages: [{ role: "user", content: long }],
      }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(/prompt is too long: 3750\d\d tokens > 200000 maximum/);
  });

  it("streams Google as one array without alt=sse", async () => {
    const google = testWires.find((wire) => wire.name === "google");
    const answer = await emulate()(
      "http://x/v1beta/models/gemini-3.8-flash:streamGenerateContent",
      { method: "POST", headers: { ...google?.headers }, body: JSON.stringify(google?.body("Hi")) },
    );
    expect(answer.headers.get("content-type")).toContain("application/json");
    const chunks = (await answer.json()) as readonly unknown[];
    expect(chunks.length).toBeGreaterThan(2);
  });

  it("F-A5 leaves no listener on a signal that many requests share", async () => {
    const { signal } = new AbortController();
    const emulator = emulate();
    for (const wire of testWires) {
      for (let i = 0; i < 20; i += 1)
        await (await send(emulator, wire, true, "Hi", { signal })).text();
    }
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("explains a fault header it does not understand", async () => {
    const [wire] = testWires;
    if (wire === undefined) throw new Error("no wire");
    const answer = await send(emulate(), wire, false, "Hi", {
      headers: { "x-mull-fault": "boom" },
    });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("is not understood"),
    ]);
  });
});
