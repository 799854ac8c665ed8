import { emulate } from "@mull/emulator";
import type { Fetch } from "mull";
import { describe, expect, test } from "vitest";

import type { GatewayOptions } from "./index.ts";
import { openGateway, type GatewaySetUp, sentText, sse } from "./testing/set-up.ts";
import { keys, post, question } from "./testing/wires.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

describe("promise 1: the same vendor, model and level pass byte for byte", () => {
  const body = `{"model":"claude-opus-5-5", "max_tokens":1.0e2,"novel":{"b":1,"a":1.10},
    "messages":[{"role":"user","content":"caf\\u00e9 é"}],"stream":true}`;
  const frames =
    'event: novel\r\ndata: {"type" : "novel"}\r\n\r\ndata: {"type":"message_stop"}\n\n';

  test("body, unknown fields, betas and stream", async () => {
    const seen: { url?: string; init?: RequestInit } = {};
    const fetch: Fetch = (url, init) => {
      Object.assign(seen, { url, init });
      return Promise.resolve(sse(frames));
    };
    const { ask, receipts } = setUp({ fetch });
    const headers = { "anthropic-beta": "a-2026,b-2026", "x-api-key": "mine", "x-novel": "1" };
    const response = await ask(post("/v1/messages?beta=true", body, headers));
    expect(await response.text()).toBe(frames);
    expect(seen.url).toBe("https://api.anthropic.com/v1/messages?beta=true");
    expect(await new Response(seen.init?.body).text()).toBe(body);
    expect(seen.init?.headers).toMatchObject({
      "anthropic-beta": "a-2026,b-2026",
      "x-novel": "1",
      "x-api-key": keys.ANTHROPIC_API_KEY,
    });
    expect(receipts).toMatchObject([{ lane: "pass", status: 200, repairs: [] }]);
  });

  test.each([
    ["/v1/messages/count_tokens", { model: "claude-opus-5-5", messages: [] }],
    ["/v1/responses/input_tokens", { model: "gpt-6-sol", input: [], temperature: 1 }],
    ["/v1beta/models/gemini-3.8-flash:countTokens", { generateContentRequest: {} }],
  ])("%s: what an answer needs would be refused where tokens are counted", async (path, asked) => {
    const sent: string[] = [];
    const fetch: Fetch = (_url, init) => {
      sent.push(sentText(init));
      return Promise.resolve(Response.json({ error: { message: "no" } }, { status: 400 }));
    };
    const { ask, receipts } = setUp({ fetch });
    expect((await ask(post(path, asked))).status).toBe(400);
    expect(sent).toEqual([JSON.stringify(asked)]);
    expect(receipts).toMatchObject([{ lane: "pass", repairs: [] }]);
  });

  // Words of ours would hide which proxy failed.
  test("a page of a proxy about an error, in no wire's words", async () => {
    const page = "<html><h1>502 Bad Gateway</h1><hr>nginx</html>";
    const headers = { "content-type": "text/html", "retry-after": "7" };
    const fetch: Fetch = () => Promise.resolve(new Response(page, { status: 502, headers }));
    const { ask, receipts } = setUp({ fetch });
    const response = await ask(question("anthropic-messages", "claude-opus-5-5", "Hi", false));
    expect([response.status, await response.text()]).toEqual([502, page]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(receipts).toMatchObject([{ lane: "pass", status: 502 }]);
  });

  test("a level in the map that the client names itself passes too, another does not", async () => {
    const { ask, receipts } = setUp({ map: { "gpt-6-sol": "gpt-6-sol/high" } });
    for (const effort of ["high", "low"]) {
      const reasoning = { effort };
      const asked = { model: "gpt-6-sol", store: false, input: "What is 2 + 2?", reasoning };
      const response = await ask(post("/v1/responses", asked));
      expect(response.status).toBe(200);
      await response.text();
    }
    for (const { cost } of receipts) expect(cost?.total).toBeGreaterThan(0);
    expect(receipts.map(({ lane, level }) => [lane, level])).toEqual([
      ["pass", "high"],
      ["translate", "high"],
    ]);
  });
});

test("F-N10 a redirect is an error: a client would follow it with its key", async () => {
  const headers = { location: "https://elsewhere.example/v1/messages" };
  const fetch: Fetch = () => Promise.resolve(new Response("moved", { status: 307, headers }));
  const { ask, receipts } = setUp({ fetch });
  const response = await ask(question("anthropic-messages", "claude-opus-5-5", "Hi", true));
  expect(response.status).toBe(502);
  expect(response.headers.has("location")).toBe(false);
  expect(await response.text()).toContain("api.anthropic.com redirects to elsewhere.example");
  expect(receipts).toMatchObject([{ status: 502, error: { code: "redirect" } }]);
});

describe("promise 2: what was changed is told", () => {
  test("the header is ASCII and at most 2 KB, whatever was asked", async () => {
    const { ask } = setUp({ model: "gpt-6-sol/high" });
    const response = await ask(
      question("anthropic-messages", `modèle-😀-${"x".repeat(3000)}`, "What is 2 + 2?", true),
    );
    const receipt = response.headers.get("x-mull-receipt") ?? "";
    expect(receipt).toMatch(/^[\x20-\x7E]{2,2048}$/);
    expect(JSON.parse(receipt)).toMatchObject({
      lane: "translate",
      model: "openai:gpt-6-sol",
      level: "high",
    });
    await response.text();
  });

  test("a request that the service refuses is repaired and sent once more", async () => {
    const { ask, receipts } = setUp();
    const body = {
      model: "claude-opus-5-5",
      max_tokens: 4096,
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
        { role: "user", content: "What is 2 + 2?" },
      ],
      tools: [{ name: "f", input_schema: { type: "object" } }],
    };
    const response = await ask(post("/v1/messages", body, { "anthropic-version": "2023-06-01" }));
    expect(response.status).toBe(200);
    await response.text();
    expect(receipts[0]?.lane).toBe("pass");
    expect(receipts[0]?.repairs).not.toEqual([]);
  });
});
