import { emulate, says, script, stalls, thinks } from "@mull/emulator";
import type { Fetch } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test, vi } from "vitest";

import type { GatewayOptions } from "./index.ts";
import { begunAnswer, openGateway, type GatewaySetUp } from "./testing/set-up.ts";
import { post, question, testWires } from "./testing/wires.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

/** An answer that waits inside for as long as it is let. */
const halting = (signals: AbortSignal[] = []): Fetch => {
  return (_url, init) => {
    signals.push(init.signal as AbortSignal);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(begunAnswer));
        init.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
};

describe("promise 4: streams flow as they arrive", () => {
  test("the first words leave while the service still speaks, and pings follow", async () => {
    const { ask } = setUp({ fetch: halting(), pingMs: 5 });
    const response = await ask(question("anthropic-messages", "gpt-6-sol", "Hello", true));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"text":"Fo"') || !text.endsWith('data: {"type":"ping"}\n\n'))
      text += (await reader.read()).value ?? "";
    expect(text).toContain("message_start");
    await reader.cancel();
  });

  test.each(["anthropic-messages", "openai-responses"] as const)(
    "a client of %s that stops stops the service",
    async (wire) => {
      const signals: AbortSignal[] = [];
      const { ask, receipts } = setUp({ fetch: halting(signals) });
      const response = await ask(question(wire, "gpt-6-sol", "Hello", true));
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
      await vi.waitFor(() => expect(receipts).toMatchObject([{ status: 499 }]));
    },
  );

  test.each(
    testWires.flatMap((client) =>
      testWires.map((service) => ({ wire: client.wire, model: service.model })),
    ),
  )("a stream of $model that breaks off is an error in $wire", async ({ wire, model }) => {
    const fetch = emulate({
      scripts: [script({}, [says("Half of an answer"), { cuts: "inside" }])],
    });
    const { ask, receipts } = setUp({ fetch });
    const response = await ask(question(wire, model, "Hello", true));
    expect(response.status).toBe(200);
    const body = await response.text();
    expect(() => readExchange({ wire, body, stream: true })).toThrow(/./);
    expect(body).toContain("error");
    expect(receipts[0]?.error).toBeDefined();
  });

  test("Google's stream without alt=sse is an array", async () => {
    const { ask } = setUp();
    const request = post("/v1beta/models/claude-opus-5-5:streamGenerateContent", {
      contents: [{ role: "user", parts: [{ text: "What is 12 * 12?" }] }],
    });
    const chunks: unknown = await (await ask(request)).json();
    expect(Array.isArray(chunks)).toBe(true);
    expect(JSON.stringify(chunks)).toContain("144");
  });

  test("a service that is slow to begin is waited for", async () => {
    const fetch = emulate({ scripts: [script({}, [stalls(5), thinks("Hm."), says("Four.")])] });
    const { ask } = setUp({ fetch, pingMs: 1 });
    const response = await ask(question("google-generate", "gpt-6-sol", "2 + 2?", true));
    const text = await response.text();
    expect(text).not.toMatch(/^:/m);
    expect(text).toContain("Four.");
  });
});
