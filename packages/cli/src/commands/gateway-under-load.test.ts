import { EventEmitter, once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";

import { describe, expect, test } from "vitest";

import { serveHttp } from "../../../../test/loopback.ts";
import { askClaude, serveGateway } from "../testing/serve-gateway.ts";

const frame = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const begun =
  frame("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content: [],
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  }) +
  frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
  frame("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Fo" } });

/** The environment of a gateway whose Claude is this service. */
const before = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: "sk-ant-test",
  ANTHROPIC_BASE_URL: new URL(url).origin,
});

/** Opens a stream and stops behind its first bytes, without reading on. */
async function openStream(url: string): Promise<ReturnType<typeof request>> {
  const asked = request(`${url}/v1/messages`, {
    agent: false,
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
  asked.on("error", () => undefined);
  const messages = [{ role: "user", content: "Hi" }];
  asked.end(JSON.stringify({ model: "claude-opus-5-5", max_tokens: 9, stream: true, messages }));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.on("error", () => undefined);
  await once(answer, "readable");
  return asked;
}

describe("mull gateway and clients that cost others nothing", () => {
  test("200 streams at once all come to their end", async () => {
    const { url, stop } = await serveGateway(["--simulate", "--model", "gpt-6-sol/low"]);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await askClaude(url, "claude-opus-5-5", {}, { stream: true });
        return answer.text();
      }),
    );
    expect(answers.filter((text) => text.includes("message_stop"))).toHaveLength(200);
    expect(answers.filter((text) => text.includes('"type":"error"'))).toEqual([]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/requests_total\{.*status="200"\} 200$/m);
    expect(metrics).toContain("mull_gateway_in_flight 0");
    await stop();
  }, 60_000);

  test.each([
    ["passing through", []],
    ["translating", ["--model", "claude-opus-5-5/low"]],
  ])("%s, a client that stops stops the service", async (_, options) => {
    const seen = new EventEmitter();
    const left = once(seen, "left");
    const service = await serveHttp((asked, response) => {
      asked.resume();
      response.writeHead(200, { "content-type": "text/event-stream" }).write(begun);
      response.on("close", () => seen.emit("left"));
    });
    const { url, stop } = await serveGateway(options, before(service.url));
    const client = await openStream(url);
    expect(service.answering()).toBe(1);
    client.destroy();
    await left;
    expect((await stop()).err).toMatch(/ 499 claude-opus-5-5/);
  });

  test("a client that never reads holds up its own service, and nobody else", async () => {
    let written = 0;
    const service = await serveHttp((asked, response) => {
      asked.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (written > 0) {
        response.end(begun + frame("message_stop"));
        return;
      }
      response.write(begun);
      const more = frame("content_block_delta", {
        index: 0,
        delta: { type: "text_delta", text: "x".repeat(60_000) },
      });
      const go = (): void => {
        do written += more.length;
        while (!response.destroyed && response.write(more));
        if (!response.destroyed) response.once("drain", go);
      };
      go();
    });
    const { url, stop } = await serveGateway([], before(service.url));
    const stuck = await openStream(url);
    const others = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await askClaude(url, "claude-opus-5-5", {}, { stream: true });
        return answer.text();
      }),
    );
    expect(others.every((text) => text.includes("message_stop"))).toBe(true);
    // What fits into the buffers on the way, and not what the service would say for ever.
    expect(written).toBeLessThan(64 * 1024 * 1024);
    stuck.destroy();
    await expect.poll(() => service.answering()).toBe(0);
    await stop();
  });

  test("50 MB and half a request are refused or wait, while others are answered", async () => {
    const { url, stop } = await serveGateway();
    const half = connect(Number(new URL(url).port), "127.0.0.1");
    half.on("error", () => undefined);
    half.write(
      `POST /v1/messages HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 100\r\n\r\n{"mod`,
    );
    const large = request(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    });
    // The refusal arrives before all is sent; what is still under way may be cut.
    large.on("error", () => undefined);
    const refused = once(large, "response") as Promise<[IncomingMessage]>;
    const megabyte = Buffer.alloc(1024 * 1024, "a");
    for (let at = 0; at < 50; at++) large.write(megabyte);
    const whole = await askClaude(url, "claude-opus-5-5");
    expect(await whole.text()).toContain("1,081");
    const [response] = await refused;
    let text = "";
    for await (const chunk of response) text += String(chunk);
    expect(response.statusCode).toBe(413);
    expect(JSON.parse(text)).toMatchObject({
      type: "error",
      error: { type: "request_too_large" },
    });
    half.destroy();
    await stop();
  });

  test("--fallback asks the next model while the first has too much to do", async () => {
    const busy = await serveHttp((asked, response) => {
      asked.resume();
      const error = { type: "overloaded_error", message: "Overloaded" };
      response.writeHead(529, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error }));
    });
    const next = await serveHttp((asked, response) => {
      asked.resume();
      const candidate = {
        index: 0,
        content: { role: "model", parts: [{ text: "From the other one." }] },
        finishReason: "STOP",
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`);
    });
    const env = {
      ...before(busy.url),
      GEMINI_API_KEY: "AIza-test",
      GOOGLE_BASE_URL: new URL(next.url).origin,
    };
    const fallback = ["--fallback", "gemini-3.8-flash/low,gpt-6-sol"];
    const { url, stop } = await serveGateway(fallback, env);
    for (const stream of [false, true]) {
      const answer = await askClaude(url, "claude-opus-5-5", {}, { stream });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.headers.get("x-mull-receipt") ?? "{}")).toMatchObject({
        model: "google:gemini-3.8-flash",
        fallbacks: ["anthropic:claude-opus-5-5"],
      });
      expect(await answer.text()).toContain("From the other one.");
    }
    expect((await stop()).err).toContain("instead of anthropic:claude-opus-5-5");
  });
});
