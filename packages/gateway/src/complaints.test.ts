import { calls, emulate, refuses, says, script, thinks } from "@mull/emulator";
import type { Fetch, JsonObject, JsonValue } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import { createGateway, type Gateway, type GatewayReceipt } from "./index.ts";
import { openRawClient } from "./testing/raw-client.ts";
import { sentText } from "./testing/set-up.ts";
import { keys, post } from "./testing/wires.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Setup {
  readonly gateway: Gateway;
  readonly sent: JsonObject[];
  readonly receipts: GatewayReceipt[];
}

/** A gateway before emulators, and what it sent them. */
function setUp(model: string | undefined, fetch: Fetch = emulate()): Setup {
  const sent: JsonObject[] = [];
  const receipts: GatewayReceipt[] = [];
  const watched: Fetch = (url, init) => {
    sent.push(JSON.parse(sentText(init)) as JsonObject);
    return fetch(url, init);
  };
  const gateway = createGateway({
    secret: "a secret of this test",
    env: keys,
    model,
    fetch: Object.assign(watched, { simulated: true }),
    onRequest: (receipt) => void receipts.push(receipt),
  });
  return { gateway, sent, receipts };
}

const anthropic = (body: JsonObject, headers: Readonly<Record<string, string>> = {}): Request =>
  post(
    "/v1/messages",
    { model: "claude-opus-5-5", max_tokens: 8000, ...body },
    { "anthropic-version": "2023-06-01", ...headers },
  );

const hello: JsonValue = [{ role: "user", content: "Hello" }];
const tool = { name: "weather", description: "The weather", input_schema: { type: "object" } };
const loop = (id: string): JsonValue => [
  { role: "user", content: "The weather?" },
  { role: "assistant", content: [{ type: "tool_use", id, name: "weather", input: { a: 1 } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "4" }] },
];

/** The same answers, three bytes at a time. */
const inPieces =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    const pieces = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        for (let at = 0; at < chunk.length; at += 3) controller.enqueue(chunk.subarray(at, at + 3));
      },
    });
    return new Response(response.body?.pipeThrough(pieces) ?? null, response);
  };

const answerTo = async (gateway: Gateway, request: Request): Promise<JsonObject> => {
  const response = await gateway.fetch(request);
  const body = (await response.json()) as JsonObject;
  expect({ status: response.status, body }).toMatchObject({ status: 200 });
  return body;
};

/** A service with too much to do. */
const busy: Fetch = () =>
  Promise.resolve(
    Response.json(
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      { status: 529, headers: { "retry-after": "7", "request-id": "req_up" } },
    ),
  );

describe("the field's fifteen complaints", () => {
  test("1: a call without Gemini's thought_signature is not refused", async () => {
    const { gateway, sent, receipts } = setUp("gemini-3.8-flash");
    await answerTo(gateway, anthropic({ messages: loop("toolu_1"), tools: [tool] }));
    expect(JSON.stringify(sent[0])).toContain('"thoughtSignature"');
    expect(receipts[0]?.notes.map(({ code }) => code)).toContain("google-skip-signature");
  });

  test("2: DeepSeek gets its reasoning_content back", async () => {
    const { gateway, sent } = setUp(
      "deepseek-v4-pro",
      emulate({ scripts: [script({ turn: 1 }, [thinks("Let me look."), calls("weather")])] }),
    );
    const client = openRawClient("anthropic-messages", "claude-opus-5-5");
    client.ask("The weather?");
    client.take(await answerTo(gateway, client.request()));
    client.answer(["4"]);
    await answerTo(gateway, client.request());
    expect(JSON.stringify(sent[1])).toContain('"reasoning_content":"Let me look."');
  });

  test("3: after a switch no signature is invalid", async () => {
    const claude = setUp("claude-opus-5-5/high");
    const client = openRawClient("anthropic-messages", "claude-haiku-4-5");
    client.ask("What is 3 * 4?");
    client.take(await answerTo(claude.gateway, client.request()));
    client.ask("And 5 * 6?");
    for (const model of ["gpt-6-sol/high", "gemini-3.8-flash/high", "claude-sonnet-4-5/high"]) {
      const next = setUp(model);
      client.take(await answerTo(next.gateway, client.request()));
      client.ask("And 7 * 8?");
      expect(next.receipts[0]).toMatchObject({ status: 200, seals: { broken: 0 } });
    }
  });

  test("4: thinking is not dropped inside a loop", async () => {
    const { gateway, sent } = setUp(
      "claude-opus-5-5/high",
      emulate({ scripts: [script({ turn: 1 }, [thinks("Let me look."), calls("weather")])] }),
    );
    const client = openRawClient("openai-chat", "gpt-5.5");
    client.ask("The weather?");
    client.take(await answerTo(gateway, client.request()));
    client.answer(["4"]);
    await answerTo(gateway, client.request());
    expect(JSON.stringify(sent[1])).toContain('"thinking":"Let me look."');
  });

  test("5: thoughts stand in blocks of their own, and a message starts once", async () => {
    const { gateway } = setUp(
      "gpt-6-sol/high",
      emulate({ scripts: [script({}, [thinks("Hm."), says("Four."), calls("weather")])] }),
    );
    const thinking = { type: "adaptive", display: "summarized" };
    const response = await gateway.fetch(
      anthropic({ messages: hello, stream: true, tools: [tool], thinking }),
    );
    const text = await response.text();
    expect(text.match(/event: message_start/g)).toHaveLength(1);
    expect(text.match(/event: message_stop/g)).toHaveLength(1);
    const blocks = [...text.matchAll(/"content_block":\{"type":"(\w+)"/g)].map(([, type]) => type);
    expect(blocks).toEqual(["thinking", "text", "tool_use"]);
    const reply = readExchange({ wire: "anthropic-messages", body: text });
    expect(reply.message.parts).toMatchObject([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Four." },
      { type: "tool-call", name: "weather" },
    ]);
  });

  test("6: no argument and no text is lost in a stream", async () => {
    const input = { path: 'a\nb\\"c\u2028é😀', list: [1, 2, { deep: [null, true] }], big: 1e21 };
    const words = 'Ünïcödé 😀 \u2028 \\n "quoted"\n\nend';
    for (const model of ["gpt-6-sol", "gemini-3.8-flash", "deepseek-v4-pro"]) {
      const { gateway } = setUp(
        model,
        inPieces(emulate({ scripts: [script({}, [says(words), calls("weather", input)])] })),
      );
      const response = await gateway.fetch(
        anthropic({ messages: hello, stream: true, tools: [tool] }),
      );
      const { message } = readExchange({ wire: "anthropic-messages", body: await response.text() });
      const said = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
      expect(said.join("")).toBe(words);
      expect(message.parts.find((part) => part.type === "tool-call")?.input).toEqual(input);
    }
  });

  test("7: betas and fields that only one vendor knows are not sent to another", async () => {
    const { gateway, sent, receipts } = setUp("gpt-6-sol");
    const extra = {
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      thinking: { type: "adaptive", display: "omitted", between: 1 },
      metadata: { user_id: "ann" },
    };
    await answerTo(
      gateway,
      anthropic({ messages: hello, ...extra }, { "anthropic-beta": "claude-code-20250219" }),
    );
    expect(JSON.stringify(sent[0])).not.toMatch(/context_management|claude-code|anthropic_beta/);
    expect(receipts[0]?.notes).toContainEqual(
      expect.objectContaining({
        code: "fields-dropped",
        message: expect.stringMatching(/: context_management, thinking\.between$/) as string,
      }),
    );
  });

  test("8: words of the system inside the conversation arrive", async () => {
    const messages: JsonValue = [
      { role: "user", content: "Hello" },
      { role: "system", content: "Speak Dutch.", output_config: { effort: "low" } },
    ];
    for (const model of ["gpt-6-sol", "gemini-3.8-flash", "deepseek-v4-pro"]) {
      const { gateway, sent } = setUp(model);
      await answerTo(gateway, anthropic({ messages }));
      expect(JSON.stringify(sent[0])).toContain("Speak Dutch.");
    }
  });

  test("9: cache_control is neither lost nor refused", async () => {
    const marked = { cache_control: { type: "ephemeral" } };
    const body = {
      system: [{ type: "text", text: "Be brief.", ...marked }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello", ...marked }] }],
      metadata: { user_id: '{"session_id":"0123-4567-89ab"}' },
    };
    const openai = setUp("gpt-6-sol");
    await answerTo(openai.gateway, anthropic(body));
    expect(openai.sent[0]).toMatchObject({ prompt_cache_key: "mull-0123-4567-89ab" });
    expect(JSON.stringify(openai.sent[0])).not.toContain("cache_control");
    const claude = setUp("claude-opus-5-5");
    await answerTo(
      claude.gateway,
      post("/v1/responses", {
        model: "gpt-5.5",
        store: false,
        input: "Hello",
        prompt_cache_key: "session-1",
      }),
    );
    expect(JSON.stringify(claude.sent[0])).toContain('"cache_control":{"type":"ephemeral"}');
  });

  test("10: token counts are those of the service, in every shape", async () => {
    const usage = {
      promptTokenCount: 1000,
      cachedContentTokenCount: 600,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 300,
      totalTokenCount: 1320,
    };
    const gemini: Fetch = () =>
      Promise.resolve(
        new Response(
          `data: ${JSON.stringify({
            candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
            usageMetadata: usage,
          })}\n\n`,
          { headers: { "content-type": "text/event-stream" } },
        ),
      );
    const { gateway } = setUp("gemini-3.8-flash", gemini);
    expect(await answerTo(gateway, anthropic({ messages: hello }))).toMatchObject({
      usage: {
        input_tokens: 400,
        cache_read_input_tokens: 600,
        output_tokens: 320,
        output_tokens_details: { thinking_tokens: 300 },
      },
    });
    expect(
      await answerTo(
        gateway,
        post("/v1/responses", { model: "gpt-5.5", store: false, input: "Hello" }),
      ),
    ).toMatchObject({
      usage: {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 600 },
        output_tokens: 320,
        output_tokens_details: { reasoning_tokens: 300 },
        total_tokens: 1320,
      },
    });
    expect(
      await answerTo(
        gateway,
        post("/v1/chat/completions", {
          model: "gpt-5.5",
          messages: [{ role: "user", content: "Hello" }],
        }),
      ),
    ).toMatchObject({
      usage: {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 600 },
        completion_tokens: 320,
        completion_tokens_details: { reasoning_tokens: 300 },
      },
    });
  });

  test("11: schemas of tools that Gemini refuses are repaired", async () => {
    const { gateway, sent } = setUp("gemini-3.8-flash");
    const input_schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        when: { type: ["string", "null"], format: "date-time" },
        what: { anyOf: [{ const: "a" }, { type: "number", exclusiveMinimum: 0 }] },
      },
      additionalProperties: false,
    };
    await answerTo(gateway, anthropic({ messages: hello, tools: [{ name: "f", input_schema }] }));
    expect(sent).toHaveLength(1);
  });

  test("12: reasoning that OpenAI cannot decrypt is left out, and the answer comes", async () => {
    const { gateway, receipts } = setUp(undefined);
    const input: JsonValue = [
      { role: "user", content: "What is 2 + 2?" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAAABnot-a-seal" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "4" }] },
      { role: "user", content: "And 3 + 3?" },
    ];
    const include = ["reasoning.encrypted_content"];
    const body = { model: "gpt-6-sol", store: false, include, input };
    await answerTo(gateway, post("/v1/responses", body));
    expect(receipts[0]).toMatchObject({ lane: "pass", status: 200 });
    expect(receipts[0]?.repairs).toHaveLength(1);
  });

  test("13: ids of more than 64 characters are mapped there and back", async () => {
    const id = `toolu_${"x".repeat(200)}`;
    const { gateway, sent } = setUp("gpt-6-sol");
    await answerTo(gateway, anthropic({ messages: loop(id), tools: [tool] }));
    const { input } = sent[0] as { readonly input: readonly { readonly call_id?: string }[] };
    const items = input.filter((item) => item.call_id !== undefined);
    expect(items).toHaveLength(2);
    expect(new Set(items.map((item) => item.call_id)).size).toBe(1);
    expect(items[0]?.call_id?.length).toBeLessThanOrEqual(64);
  });

  test("14: errors come in the caller's wire, with retry-after", async () => {
    const { gateway } = setUp("claude-opus-5-5", busy);
    const codex = await gateway.fetch(
      post("/v1/responses", { model: "gpt-5.5", store: false, input: "Hello" }),
    );
    expect(codex.status).toBe(503);
    expect(codex.headers.get("retry-after")).toBe("7");
    expect(codex.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await codex.json()).toMatchObject({ error: { type: "server_error" } });
    const gemini = await gateway.fetch(
      post("/v1beta/models/gemini-3.8-flash:generateContent", {
        contents: [{ role: "user", parts: [{ text: "Hello" }] }],
      }),
    );
    expect(gemini.status).toBe(503);
    expect(await gemini.json()).toMatchObject({
      error: {
        code: 503,
        status: "UNAVAILABLE",
        details: [{ "@type": expect.stringContaining("RetryInfo") as string, retryDelay: "7s" }],
      },
    });
  });

  test("15: images in tool results arrive, and stop_reason is the client's own word", async () => {
    const messages: JsonValue = [
      { role: "user", content: "Look" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "weather", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [
              { type: "text", text: "seen" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
            ],
          },
        ],
      },
    ];
    for (const model of ["gpt-6-sol", "gemini-3.8-flash"]) {
      const { gateway, sent } = setUp(model);
      const answer = await answerTo(gateway, anthropic({ messages, tools: [tool] }));
      expect(JSON.stringify(sent[0])).toContain(png);
      expect(answer["stop_reason"]).toBe("end_turn");
    }
    const declining = setUp("gpt-6-sol", emulate({ scripts: [script({}, [refuses()])] }));
    const refusal = await answerTo(declining.gateway, anthropic({ messages: hello }));
    expect(refusal["stop_reason"]).toBe("refusal");
    const calling = setUp("gpt-6-sol", emulate({ scripts: [script({}, [calls("weather")])] }));
    const call = await answerTo(calling.gateway, anthropic({ messages: hello, tools: [tool] }));
    expect(call["stop_reason"]).toBe("tool_use");
  });
});
