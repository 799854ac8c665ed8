import { emulate, says, script } from "@mull/emulator";
import type { Fetch, JsonObject } from "mull";
import { isJsonObject } from "mull/wire";
import { describe, expect, test } from "vitest";

import { createGateway, type GatewayOptions } from "./index.ts";
import { errorOf, openGateway, type GatewaySetUp, sentText } from "./testing/set-up.ts";
import { post, question } from "./testing/wires.ts";

/** A gateway before an emulator, unless the options say otherwise. */
const setUp = (options: Partial<GatewayOptions> = {}): GatewaySetUp =>
  openGateway({ fetch: emulate(), ...options });

const reasoningOf = ({ reasoning }: JsonObject = {}): JsonObject =>
  isJsonObject(reasoning) ? reasoning : {};

describe("promise 8: it can be watched", () => {
  test("ids of requests come back, and counters add up", async () => {
    const { ask, metrics } = setUp();
    const request = question("anthropic-messages", "gpt-6-sol", "What is 2 + 2?", false);
    request.headers.set("x-request-id", "trace-1");
    expect((await ask(request)).headers.get("request-id")).toBe("trace-1");
    const shown = await (await ask(new Request("http://localhost/metrics"))).text();
    expect(shown).toBe(metrics());
    expect(shown).toContain(
      'mull_gateway_requests_total{wire="anthropic-messages",model="openai:gpt-6-sol",lane="translate",status="200"} 1',
    );
    expect(shown).toContain("mull_gateway_in_flight 0");
  });
});

test("a listener that fails costs no client its answer", async () => {
  const { ask } = setUp({
    onRequest: () => {
      throw new Error("the disk is full");
    },
  });
  for (const stream of [true, false]) {
    const answer = await ask(question("openai-chat", "claude-opus-5-5", "What is 2 + 2?", stream));
    expect(await answer.text()).toContain("4");
  }
  expect((await ask(post("/v1/messages", "{"))).status).toBe(400);
});

describe("what a service keeps, and the other routes", () => {
  test.each([
    ["previous_response_id", { previous_response_id: "resp_1", input: "Hello" }],
    ["item_reference", { input: [{ type: "item_reference", id: "rs_1" }] }],
  ])("%s is refused where another vendor answers", async (_name, fields) => {
    const { ask } = setUp({ model: "claude-opus-5-5" });
    const response = await ask(post("/v1/responses", { model: "gpt-5.5", ...fields }));
    expect(response.status).toBe(400);
    expect((await errorOf(response))["message"]).toContain("store: false");
  });

  test("threads are refused in the words that the SDK understands", async () => {
    const { ask } = setUp({ model: "gpt-6-sol" });
    const thread = { create: {} };
    const response = await ask(
      post("/v1/messages", { model: "claude-opus-5-5", max_tokens: 9, messages: [], thread }),
    );
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
    });
  });

  test("a WebSocket is answered with 426, so that Codex comes over HTTP", async () => {
    const { ask } = setUp();
    const headers = { upgrade: "websocket", connection: "Upgrade" };
    const response = await ask(new Request("http://127.0.0.1/v1/responses", { headers }));
    expect(response.status).toBe(426);
  });

  test("every wire has its list of models", async () => {
    const { ask } = setUp({ map: { fast: "gemini-3.8-flash/low" } });
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      (await ask(new Request(`http://127.0.0.1${path}`, { headers }))).json() as Promise<unknown>;
    expect(await get("/v1/models?limit=1000", { "anthropic-version": "2023-06-01" })).toMatchObject(
      {
        data: expect.arrayContaining([
          expect.objectContaining({ id: "fast", type: "model" }),
        ]) as [],
      },
    );
    expect(await get("/v1/models")).toMatchObject({ object: "list" });
    expect(await get("/v1beta/models")).toMatchObject({
      models: expect.arrayContaining([expect.objectContaining({ name: "models/fast" })]) as [],
    });
  });

  test("every wire tells of one model, and of none that it does not know", async () => {
    const { ask } = setUp({ map: { fast: "gemini-3.8-flash/low" } });
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await ask(new Request(`http://127.0.0.1${path}`, { headers }));
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const anthropic = { "anthropic-version": "2023-06-01" };
    expect(await get("/v1/models/gpt-6-sol%2Fhigh", anthropic)).toMatchObject({
      status: 200,
      body: { type: "model", id: "gpt-6-sol/high", max_tokens: 128_000 },
    });
    expect(await get("/v1/models/gpt-6-sol/high")).toMatchObject({
      body: { object: "model", id: "gpt-6-sol/high" },
    });
    expect(await get("/v1beta/models/fast")).toMatchObject({
      body: { name: "models/fast", inputTokenLimit: expect.any(Number) as number },
    });
    expect(await get("/v1/models/no-such-model", anthropic)).toMatchObject({
      status: 404,
      body: { type: "error", error: { type: "not_found_error" } },
    });
    expect(await get("/v1beta/models/no-such-model")).toMatchObject({
      status: 404,
      body: { error: { status: "NOT_FOUND" } },
    });
  });

  // Chat Completions refuses tools beside thinking from gpt-5.2 on: up to 5.5 where an effort is named.
  const tools = [
    { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
  ];
  test.each([
    ["gpt-6-sol", { tools, reasoning_effort: "high" }, "openai", "high"],
    ["gpt-6-sol", { tools }, "openai", undefined],
    ["gpt-6-sol", { tools, reasoning_effort: "none" }, "openai-chat", "none"],
    ["gpt-6-sol", { reasoning_effort: "high" }, "openai-chat", "high"],
    ["gpt-5.5", { tools }, "openai-chat", undefined],
  ])(
    "%s on Chat Completions with %j is answered by %s",
    async (model, fields, provider, effort) => {
      const bodies: JsonObject[] = [];
      const emulator = emulate();
      const fetch: Fetch = (url, init) => {
        bodies.push(JSON.parse(sentText(init)) as JsonObject);
        return emulator(url, init);
      };
      const { ask, receipts } = setUp({ fetch: Object.assign(fetch, { simulated: true }) });
      const messages = [{ role: "user", content: "What is 2 + 2?" }];
      const response = await ask(post("/v1/chat/completions", { model, messages, ...fields }));
      expect({ status: response.status, body: await response.text() }).toMatchObject({
        status: 200,
      });
      expect(receipts[0]).toMatchObject({ provider, repairs: [] });
      expect(bodies[0]?.["reasoning_effort"] ?? reasoningOf(bodies[0])["effort"]).toBe(effort);
    },
  );

  test.each([
    [
      "/v1/messages/count_tokens",
      { model: "gpt-6-sol", messages: [{ role: "user", content: "Hi" }] },
      "input_tokens",
    ],
    ["/v1/responses/input_tokens", { model: "claude-opus-5-5", input: "Hi" }, "input_tokens"],
    [
      "/v1beta/models/deepseek-v4-pro:countTokens",
      { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
      "totalTokens",
    ],
    [
      "/v1beta/models/claude-opus-5-5:countTokens",
      { generateContentRequest: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] } },
      "totalTokens",
    ],
  ])("%s counts for any model", async (path, body, field) => {
    const { ask } = setUp();
    const response = await ask(post(path, body));
    expect(response.status).toBe(200);
    expect(((await response.json()) as JsonObject)[field]).toBeGreaterThan(0);
  });

  test("a conversation is shortened to one item, which any gateway reads again", async () => {
    const fetch = emulate({
      scripts: [script({ text: "summary" }, [says("They greeted each other.")])],
    });
    const sent: string[] = [];
    const watched: Fetch = (url, init) => {
      sent.push(sentText(init));
      return fetch(url, init);
    };
    const options = {
      fetch: Object.assign(watched, { simulated: true }),
      model: "claude-opus-5-5",
    };
    const first = setUp(options);
    const input = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
    ];
    const trigger = { type: "compaction_trigger" };
    const streamed = await first.ask(
      post("/v1/responses", {
        model: "gpt-6-sol",
        stream: true,
        store: false,
        input: [...input, trigger],
      }),
    );
    const items = [
      ...(await streamed.text()).matchAll(
        /output_item\.done","sequence_number":\d+,"output_index":0,"item":(\{.*?\})\}\n/g,
      ),
    ];
    const [item = {}] = items.map(([, json = "{}"]) => JSON.parse(json) as JsonObject);
    expect(items).toHaveLength(1);
    expect(item).toMatchObject({ type: "compaction" });
    const compacted = await first.ask(post("/v1/responses/compact", { model: "gpt-6-sol", input }));
    expect(await compacted.json()).toMatchObject({ object: "response.compaction" });
    const next = setUp(options);
    const again = await next.ask(
      post("/v1/responses", {
        model: "gpt-6-sol",
        store: false,
        input: [item, { role: "user", content: "What is 2 + 2?" }],
      }),
    );
    expect(again.status).toBe(200);
    expect(sent.at(-1)).toContain("They greeted each other.");
  });
});

test("the secret must be one", () => {
  expect(() => createGateway({ secret: "short" })).toThrow("at least 16 characters");
});
