import { emulate, says, script, stalls, thinks } from "@mull/emulator";
import type { Fetch, JsonObject } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test, vi } from "vitest";

import { createGateway, hashKey, type GatewayOptions, type GatewayReceipt } from "./index.ts";
import { keys, post, question, testWires } from "./testing/wires.ts";

const setUp = (
  options: Partial<GatewayOptions> = {},
): {
  readonly ask: (request: Request) => Promise<Response>;
  readonly metrics: () => string;
  readonly receipts: GatewayReceipt[];
} => {
  const receipts: GatewayReceipt[] = [];
  const gateway = createGateway({
    secret: "a secret of this test",
    environment: keys,
    fetch: emulate(),
    onRequest: (receipt) => void receipts.push(receipt),
    ...options,
  });
  return { ask: gateway.fetch, metrics: gateway.metrics, receipts };
};

const sse = (...frames: readonly string[]): Response =>
  new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });

const errorOf = async (response: Response): Promise<JsonObject> => {
  const { error } = (await response.json()) as { readonly error: JsonObject };
  return error;
};

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
    expect(seen.init?.body).toBe(body);
    expect(seen.init?.headers).toMatchObject({
      "anthropic-beta": "a-2026,b-2026",
      "x-novel": "1",
      "x-api-key": keys.ANTHROPIC_API_KEY,
    });
    expect(receipts).toMatchObject([{ lane: "pass", status: 200, repairs: [] }]);
  });

  test("a packed body is unpacked and passes", async () => {
    const sent: unknown[] = [];
    const { ask } = setUp({
      fetch: (_url, init) => {
        sent.push(init.body);
        return Promise.resolve(sse(frames));
      },
    });
    const packed = await new Response(
      new Blob([body]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer();
    const request = new Request("http://127.0.0.1/v1/messages", {
      method: "POST",
      headers: { "content-encoding": "gzip" },
      body: packed,
    });
    await (await ask(request)).text();
    expect(sent).toEqual([body]);
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
    expect(receipts.map(({ lane, level }) => [lane, level])).toEqual([
      ["pass", "high"],
      ["translate", "high"],
    ]);
  });
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

  test("a request that the service refuses is mended and sent once more", async () => {
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

/** An answer that waits inside for as long as it is let. */
const halting = (frames: readonly string[], signals: AbortSignal[] = []): Fetch => {
  return (_url, init) => {
    signals.push(init.signal as AbortSignal);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const frame of frames) controller.enqueue(new TextEncoder().encode(frame));
        init.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
};

const begun = [
  'data: {"type":"response.created","response":{"id":"resp_1","model":"gpt-6-sol","output":[]}}\n\n',
  'data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}\n\n',
  'data: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Fo"}\n\n',
];

describe("promise 4: streams flow as they arrive", () => {
  test("the first words leave while the service still speaks, and pings follow", async () => {
    const { ask } = setUp({ fetch: halting(begun), pingMs: 5 });
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
      const { ask, receipts } = setUp({ fetch: halting(begun, signals) });
      const response = await ask(question(wire, "gpt-6-sol", "Hello", true));
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      expect(signals[0]?.aborted).toBe(true);
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
    expect(() => readExchange({ wire, body, stream: true })).toThrow();
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

describe("promise 6: another model stands in", () => {
  const failing =
    (status: number, by: Fetch): Fetch =>
    (url, init) =>
      url.includes("anthropic")
        ? Promise.resolve(
            Response.json({ type: "error", error: { type: "x", message: "no" } }, { status }),
          )
        : by(url, init);

  test.each([529, 429, 500, 401, 404])("where the first answers %s", async (status) => {
    const { ask, receipts } = setUp({
      fetch: Object.assign(failing(status, emulate()), { simulated: true }),
      fallback: ["gemini-3.8-flash/low"],
    });
    for (const stream of [true, false]) {
      const response = await ask(
        question("anthropic-messages", "claude-opus-5-5", "What is 12 * 12?", stream),
      );
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("144");
    }
    expect(receipts[0]).toMatchObject({
      model: "gemini-3.8-flash",
      fallbacks: [{ model: "anthropic:claude-opus-5-5" }],
    });
  });

  test("but not for a wrong request, and never behind words that were seen", async () => {
    const wrong = setUp({ fetch: failing(400, emulate()), fallback: ["gemini-3.8-flash"] });
    const refused = await wrong.ask(
      question("anthropic-messages", "claude-opus-5-5", "Hello", false),
    );
    expect(refused.status).toBe(400);
    const fetch = emulate({
      scripts: [script({ model: "gpt-6-sol" }, [says("Half of an answer"), { cuts: "inside" }])],
    });
    const late = setUp({ fetch, fallback: ["gemini-3.8-flash"] });
    const cut = await late.ask(question("anthropic-messages", "gpt-6-sol", "Hello", true));
    expect(await cut.text()).toContain("event: error");
    expect(late.receipts[0]?.fallbacks).toEqual([]);
  });
});

describe("promise 7: safe by default", () => {
  const hello = (headers: Readonly<Record<string, string>>, host = "127.0.0.1"): Request =>
    new Request(`http://${host}/v1/messages`, {
      method: "POST",
      headers: { "anthropic-version": "2023-06-01", ...headers },
      body: JSON.stringify({
        model: "claude-opus-5-5",
        max_tokens: 4096,
        messages: [{ role: "user", content: "What is 2 + 2?" }],
      }),
    });

  test("without keys it answers this machine only, and no page of another site", async () => {
    const { ask } = setUp();
    expect((await ask(hello({}))).status).toBe(200);
    expect((await ask(hello({}, "evil.example"))).status).toBe(403);
    expect((await ask(hello({ origin: "https://evil.example" }))).status).toBe(403);
    const named = setUp({ hosts: ["gateway.example"] });
    expect((await named.ask(hello({}, "gateway.example"))).status).toBe(403);
  });

  test("with keys it asks for one", async () => {
    const { ask } = setUp({ clientKeys: [await hashKey("right")], hosts: ["gateway.example"] });
    for (const host of ["127.0.0.1", "gateway.example"]) {
      const wrong = await ask(hello({ "x-api-key": "wrong" }, host));
      expect(wrong.status).toBe(401);
      expect(await errorOf(wrong)).toMatchObject({ type: "authentication_error" });
      expect((await ask(hello({}, host))).status).toBe(401);
      expect((await ask(hello({ authorization: "Bearer right" }, host))).status).toBe(200);
    }
  });

  test("a client's key goes to its own vendor, and to nobody else", async () => {
    const seen: [string, string][] = [];
    const fetch: Fetch = (url, init) => {
      seen.push([new URL(url).host, JSON.stringify(init.headers)]);
      return Promise.resolve(Response.json({ error: { message: "no" } }, { status: 500 }));
    };
    const { ask } = setUp({ environment: {}, fetch });
    await ask(hello({ "x-api-key": "sk-ant-mine" }));
    expect(seen).toEqual([["api.anthropic.com", expect.stringContaining("sk-ant-mine") as string]]);
    const foreign = setUp({ environment: {}, fetch, model: "gpt-6-sol" });
    const refused = await foreign.ask(hello({ "x-api-key": "sk-ant-mine" }));
    expect(refused.status).toBe(401);
    expect(seen).toHaveLength(1);
    const keyed = setUp({ environment: {}, fetch, clientKeys: [await hashKey("sk-ant-mine")] });
    expect((await keyed.ask(hello({ "x-api-key": "sk-ant-mine" }))).status).toBe(401);
    expect(seen).toHaveLength(1);
  });
});

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
      sent.push(init.body as string);
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
    const [item] = items.map(([, json = "{}"]) => JSON.parse(json) as JsonObject);
    expect(items).toHaveLength(1);
    expect(item).toMatchObject({ type: "compaction" });
    const compacted = await first.ask(post("/v1/responses/compact", { model: "gpt-6-sol", input }));
    expect(await compacted.json()).toMatchObject({ object: "response.compaction" });
    const next = setUp(options);
    const again = await next.ask(
      post("/v1/responses", {
        model: "gpt-6-sol",
        store: false,
        input: [item!, { role: "user", content: "What is 2 + 2?" }],
      }),
    );
    expect(again.status).toBe(200);
    expect(sent.at(-1)).toContain("They greeted each other.");
  });
});

describe("bad input is an error in the caller's wire", () => {
  test.each([
    ["no JSON", post("/v1/messages", "{"), 400, "invalid_request_error"],
    ["a list", post("/v1/messages", "[]"), 400, "invalid_request_error"],
    ["no model", post("/v1/responses", {}), 400, "invalid_request_error"],
    [
      "an unknown model",
      post("/v1/chat/completions", { model: "nobody-1" }),
      404,
      "invalid_request_error",
    ],
    ["an unknown path", post("/v1/messages/nothing", {}), 404, "not_found_error"],
    ["nothing at all", post("/v1/messages", { model: "gpt-6-sol" }), 400, "invalid_request_error"],
    [
      "odd messages",
      post("/v1/messages", { model: "gpt-6-sol", messages: [null, 5, { role: 7 }] }),
      400,
      "invalid_request_error",
    ],
  ])("%s", async (_name, request, status, type) => {
    const { ask, receipts } = setUp();
    const response = await ask(request);
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ type });
    expect(receipts).toHaveLength(1);
  });

  test("a badly escaped name on Google", async () => {
    const { ask } = setUp();
    const response = await ask(post("/v1beta/models/%E0%A4%A:generateContent", { contents: [] }));
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({ status: "NOT_FOUND" });
  });

  test("50 MB, and half a request", async () => {
    const { ask } = setUp();
    const chunk = new Uint8Array(1024 * 1024);
    let left = 50;
    const large = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const half = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"model":'));
        controller.error(new Error("gone"));
      },
    });
    const send = (body: ReadableStream<Uint8Array>): Promise<Response> =>
      ask(
        new Request("http://127.0.0.1/v1/messages", {
          method: "POST",
          body,
          duplex: "half",
        } as RequestInit),
      );
    expect((await send(large)).status).toBe(413);
    expect(left).toBeGreaterThan(0);
    expect((await send(half)).status).toBe(400);
  });

  test("a client that never reads holds up its own service only", async () => {
    let pulled = 0;
    const endless: Fetch = () =>
      Promise.resolve(
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              const frame =
                pulled++ < begun.length
                  ? begun[pulled - 1]!
                  : begun[2]!.replace("Fo", "x".repeat(10_000));
              controller.enqueue(new TextEncoder().encode(frame));
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
      );
    const { ask } = setUp({ fetch: endless });
    const silent = await ask(question("anthropic-messages", "gpt-6-sol", "Hello", true));
    const other = setUp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (
          await other.ask(question("openai-chat", "claude-opus-5-5", "What is 2 + 2?", true))
        ).text(),
      ),
    );
    expect(answers.every((text) => text.includes("[DONE]"))).toBe(true);
    expect(pulled).toBeLessThan(200);
    await silent.body?.cancel();
  });
});

test("the secret must be one", () => {
  expect(() => createGateway({ secret: "short" })).toThrow("at least 16 characters");
});
