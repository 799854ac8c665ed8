import { calls, cuts, emulate, fails, says, script, thinks, type Emulator } from "@mull/emulator";
import { createMull, readReceipt } from "@mull/ai-sdk";
import type { ModelMessage } from "ai";
import * as seven from "ai-7";
import type { JsonObject } from "mull";
import { describe, expect, test } from "vitest";
import { versions } from "./versions.ts";

const hi: ModelMessage[] = [{ role: "user", content: "Hi." }];

const lastBody = (emulator: Emulator): JsonObject => emulator.journal().at(-1)!.body as JsonObject;

const askSeven = (emulator: Emulator, ref: string) =>
  createMull({ fetch: emulator, apiKey: "test" })(ref);

describe.each(versions)("$name", ({ answer }) => {
  const ask = (emulator: Emulator, ref: string, more: object = {}) =>
    answer({
      settings: { fetch: emulator, apiKey: "test" },
      refs: [ref],
      messages: hi,
      tools: false,
      with: more,
    });

  test("usage, finish and receipt are those of the answer", async () => {
    const emulator = emulate({ scripts: [script({}, [thinks("Hm."), says("Hello.")])] });
    const result = await ask(emulator, "claude-opus-5-5/high");
    expect(result.text).toBe("Hello.");
    expect(result.reasoningText).toContain("Hm.");
    expect(result.finishReason).toBe("stop");
    const { inputTokens, outputTokens } = result.totalUsage;
    expect(inputTokens).toBeGreaterThan(0);
    expect(outputTokens).toBeGreaterThan(0);
    const metadata = result.steps[0]?.providerMetadata?.["mull"] as JsonObject;
    expect(readReceipt(result.steps[0]?.providerMetadata)).toMatchObject({
      plan: { asked: "high" },
      simulated: true,
    });
    expect(metadata["cost"]).toBeDefined();
    expect(result.steps[0]?.response.headers).toHaveProperty("content-type");
  });

  test.each([
    [{ mull: { level: "high" } }, "high"],
    [{ anthropic: { effort: "high" } }, "high"],
    [{ openai: { reasoningEffort: "high" } }, "low"],
  ])("%j decides about thinking", async (providerOptions, effort) => {
    const emulator = emulate();
    await ask(emulator, "claude-opus-5-5/low", { providerOptions });
    expect(lastBody(emulator)["output_config"]).toMatchObject({ effort });
  });

  test("a budget, a cache key and a user of the vendors' own providers are taken over", async () => {
    const emulator = emulate();
    await ask(emulator, "claude-sonnet-4-5", {
      providerOptions: {
        anthropic: { thinking: { type: "enabled", budgetTokens: 3000 }, metadata: { userId: "u" } },
      },
    });
    expect(lastBody(emulator)).toMatchObject({
      thinking: { budget_tokens: 3000 },
      metadata: { user_id: "u" },
    });
    await ask(emulator, "gpt-6-sol", { providerOptions: { openai: { promptCacheKey: "k" } } });
    expect(lastBody(emulator)["prompt_cache_key"]).toBe("k");
  });

  test("what no model takes is told in warnings", async () => {
    const emulator = emulate();
    const { steps } = await ask(emulator, "claude-opus-5-5", {
      seed: 1,
      providerOptions: { anthropic: { speed: "fast" }, mull: { lvel: "high" } },
    });
    const features = JSON.stringify(steps[0]?.warnings);
    for (const feature of ["seed", "providerOptions.anthropic.speed", "providerOptions.mull.lvel"])
      expect(features).toContain(feature);
  });

  test("an overloaded service is asked again by the AI SDK, as often as it was told", async () => {
    const busy = fails({ status: 529, headers: { "retry-after-ms": "1" } });
    const emulator = emulate({ scripts: [script({}, [busy], [says("Hello.")])] });
    const result = await ask(emulator, "claude-opus-5-5", { maxRetries: 1 });
    expect(result.text).toBe("Hello.");
    expect(emulator.journal().map(({ status }) => status)).toEqual([529, 200]);
  });

  test("a refusal is an APICallError with status, address and body, and without the key", async () => {
    const emulator = emulate({ scripts: [script({}, [fails(403)])] });
    const error = await ask(emulator, "claude-opus-5-5", { maxRetries: 0 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(seven.APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      statusCode: 403,
      isRetryable: false,
      url: "https://api.anthropic.com/v1/messages",
      requestBodyValues: { model: "claude-opus-5-5" },
      cause: { category: "permission" },
    });
  });

  test("headers of the call are sent", async () => {
    let sent: Headers | undefined;
    const emulator = emulate();
    const watching = Object.assign(
      (url: string, init: RequestInit) => {
        sent = new Headers(init.headers);
        return emulator(url, init);
      },
      { simulated: true as const },
    );
    await answer({
      settings: { fetch: watching, apiKey: "test", headers: { "x-mine": "1" } },
      refs: ["claude-opus-5-5"],
      messages: hi,
      tools: false,
      with: { headers: { "x-call": "2" } },
    });
    expect([sent?.get("x-mine"), sent?.get("x-call")]).toEqual(["1", "2"]);
  });

  test("an image goes to each service in its own form", async () => {
    const png = "iVBORw0KGgoAAAAA";
    const emulator = emulate();
    for (const ref of ["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash"]) {
      await answer({
        settings: { fetch: emulator, apiKey: "test" },
        refs: [ref],
        tools: false,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is it?" },
              { type: "file", data: png, mediaType: "image/png" },
            ],
          },
        ],
      });
      expect(JSON.stringify(lastBody(emulator))).toContain(png);
      expect(JSON.stringify(lastBody(emulator))).toContain("image/png");
    }
    expect(emulator.journal().every(({ status }) => status === 200)).toBe(true);
  });

  test("F-S17 the next question after a stream that broke in a thought is taken", async () => {
    const emulator = emulate({
      scripts: [script({}, [thinks("Let me look it up first."), cuts("inside")], [says("Done.")])],
    });
    const messages = [...hi];
    const broken = await ask(emulator, "claude-sonnet-4-5/med", { maxRetries: 0 }).catch(
      () => undefined,
    );
    messages.push(...(broken?.messages ?? []), { role: "user", content: "Go on." });
    const next = await answer({
      settings: { fetch: emulator, apiKey: "test", heal: "fail" },
      refs: ["claude-sonnet-4-5/med"],
      messages,
      tools: false,
    });
    expect(next.text).toBe("Done.");
  });
});

describe("AI SDK 7", () => {
  test("its reasoning option turns the dial; a level of ours is closer", async () => {
    const emulator = emulate();
    const model = askSeven(emulator, "claude-opus-5-5/low");
    await seven.generateText({ model, prompt: "Hi.", reasoning: "high" });
    expect(lastBody(emulator)["output_config"]).toMatchObject({ effort: "high" });
    await seven.generateText({
      model,
      prompt: "Hi.",
      reasoning: "high",
      providerOptions: { mull: { level: "med" } },
    });
    expect(lastBody(emulator)["output_config"]).toMatchObject({ effort: "medium" });
    await seven.generateText({ model, prompt: "Hi.", reasoning: "provider-default" });
    expect(lastBody(emulator)["output_config"]).toMatchObject({ effort: "low" });
  });

  test.each(["claude-opus-5-5", "gpt-6-sol", "openai-chat:gpt-5.1", "gemini-3.8-flash"])(
    "an object of %s comes as its schema says",
    async (ref) => {
      const emulator = emulate({ scripts: [script({}, [says('{"city":"Oslo"}')])] });
      const schema = seven.jsonSchema<{ city: string }>({
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      });
      const { output } = await seven.generateText({
        model: askSeven(emulator, ref),
        prompt: "Where?",
        output: seven.Output.object({ schema }),
      });
      expect(output).toEqual({ city: "Oslo" });
      expect(JSON.stringify(lastBody(emulator))).toContain('"city"');
    },
  );

  test("bytes whose kind alone is named are looked at", async () => {
    const emulator = emulate();
    const data = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);
    await askSeven(emulator, "claude-opus-5-5").doGenerate({
      prompt: [
        {
          role: "user",
          content: [{ type: "file", data: { type: "data", data }, mediaType: "image" }],
        },
      ],
    });
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgoAAAAA" };
    expect(lastBody(emulator)["messages"]).toMatchObject([{ content: [{ source }] }]);
  });

  test("a file that another service keeps is refused before anything is sent", async () => {
    const emulator = emulate();
    const asked = askSeven(emulator, "gpt-6-sol").doGenerate({
      prompt: [
        {
          role: "user",
          content: [
            {
              type: "file",
              mediaType: "image/png",
              data: { type: "reference", reference: { anthropic: "f" } },
            },
          ],
        },
      ],
    });
    await expect(asked).rejects.toThrow(/uploaded to anthropic, where OpenAI cannot read it/);
    expect(emulator.journal()).toEqual([]);
  });

  test("an object that does not fit is the AI SDK's to judge, and asked for once", async () => {
    const emulator = emulate({ scripts: [script({}, [says('{"town":1}')])] });
    const schema = seven.jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    });
    const asked = await seven.generateText({
      model: askSeven(emulator, "gpt-6-sol"),
      prompt: "Where?",
      output: seven.Output.object({ schema }),
    });
    expect(asked.text).toBe('{"town":1}');
    expect(emulator.journal()).toHaveLength(1);
  });

  test("a forced tool is forced", async () => {
    const emulator = emulate({ scripts: [script({}, [calls("look", {})])] });
    await seven.generateText({
      model: askSeven(emulator, "gpt-6-sol"),
      prompt: "Hi.",
      tools: { look: seven.tool({ inputSchema: seven.jsonSchema({ type: "object" }) }) },
      toolChoice: { type: "tool", toolName: "look" },
    });
    expect(lastBody(emulator)["tool_choice"]).toMatchObject({ name: "look" });
  });

  test("a vendor's own tool is sent in that vendor's words, and to others not at all", async () => {
    const emulator = emulate();
    const search = {
      type: "provider" as const,
      isProviderExecuted: true as const,
      id: "anthropic.web_search_20250305" as const,
      args: { maxUses: 2 },
      inputSchema: seven.jsonSchema({ type: "object" }),
    };
    const askFor = async (ref: string) => {
      const model = askSeven(emulator, ref);
      return seven.generateText({ model, prompt: "Hi.", tools: { web_search: search } });
    };
    await askFor("claude-opus-5-5");
    expect(lastBody(emulator)["tools"]).toEqual([
      { type: "web_search_20250305", name: "web_search", max_uses: 2 },
    ]);
    const { warnings } = await askFor("gpt-6-sol");
    expect(lastBody(emulator)["tools"] ?? []).toEqual([]);
    expect(warnings).not.toEqual([]);
  });

  test("raw chunks are the service's own events", async () => {
    const { stream } = await askSeven(emulate(), "claude-opus-5-5").doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
      includeRawChunks: true,
    });
    const raw: unknown[] = [];
    for await (const part of stream) if (part.type === "raw") raw.push(part.rawValue);
    expect(raw[0]).toMatchObject({ type: "message_start" });
    expect(raw.at(-1)).toMatchObject({ type: "message_stop" });
  });

  test("stopping the call stops the request, and is no failure", async () => {
    const controller = new AbortController();
    const emulator = emulate({ faults: "pace=20" });
    const parts: string[] = [];
    const result = seven.streamText({
      model: askSeven(emulator, "claude-opus-5-5"),
      prompt: "Tell me a long story about the sea.",
      abortSignal: controller.signal,
    });
    for await (const part of result.stream) {
      parts.push(part.type);
      if (part.type.endsWith("-delta")) controller.abort();
    }
    expect(parts).toContain("abort");
    expect(parts).not.toContain("error");
  });

  test("a missing key is the AI SDK's own error, and names the variable", async () => {
    const model = createMull({ env: {} })("claude-opus-5-5");
    const asked = seven.generateText({ model, prompt: "Hi.", maxRetries: 0 });
    await expect(asked).rejects.toThrow(/ANTHROPIC_API_KEY/);
    await expect(asked).rejects.toSatisfy((error: unknown) =>
      seven.LoadAPIKeyError.isInstance(error),
    );
  });

  test("R36 a conversation survives useChat: through UI messages, JSON and another model", async () => {
    const emulator = emulate({
      scripts: [
        script(
          {},
          [thinks("First."), calls("look", {})],
          [thinks("Second."), says("One.")],
          [says("Two.")],
          [says("Three.")],
        ),
      ],
    });
    const mull = createMull({ fetch: emulator, apiKey: "test", heal: "fail" });
    const tools = {
      look: seven.tool({
        inputSchema: seven.jsonSchema({ type: "object" }),
        execute: () => Promise.resolve("found"),
      }),
    };
    let chat: seven.UIMessage[] = [];
    const say = async (ref: string, text: string): Promise<void> => {
      chat = [...chat, { id: text, role: "user", parts: [{ type: "text", text }] }];
      const result = seven.streamText({
        model: mull(ref),
        messages: await seven.convertToModelMessages(chat),
        tools,
        stopWhen: seven.stepCountIs(4),
      });
      const chunks = result.toUIMessageStream({ sendReasoning: true });
      let last: seven.UIMessage | undefined;
      for await (const message of seven.readUIMessageStream({ stream: chunks })) last = message;
      chat = JSON.parse(JSON.stringify([...chat, last])) as seven.UIMessage[];
    };
    await say("claude-sonnet-4-5/med", "Hi.");
    await say("gemini-3.8-flash/med", "And now?");
    await say("claude-sonnet-4-5/med", "And now?!");
    expect(emulator.journal().filter(({ status }) => status !== 200)).toEqual([]);
    const sealed = JSON.stringify(lastBody(emulator)["messages"]);
    expect(sealed.match(/"type":"thinking"/g)?.length).toBe(2);
  });
});
