import { SpanStatusCode, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { emulate, fails, says, script, thinks } from "@mull/emulator";
import { createGateway } from "@mull/gateway";
import { otel } from "@mull/otel";
import type { Fetch, JsonObject } from "mull";
import { afterEach, describe, expect, it } from "vitest";
import { mull } from "../../packages/cli/src/testing/fake-io.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const collecting = () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { provider, spans: () => exporter.getFinishedSpans() };
};

/** The spans of one question that a client of Claude asks through a gateway. */
async function spansOf(
  fetch: Fetch,
  routes: { readonly model?: string },
  fields: JsonObject = {},
): Promise<readonly ReadableSpan[]> {
  const { provider, spans } = collecting();
  const gateway = createGateway({
    secret: "a secret of this test",
    env: { ANTHROPIC_API_KEY: "sk-ant-test", OPENAI_API_KEY: "sk-test" },
    fetch,
    observe: otel({ tracerProvider: provider }),
    ...routes,
  });
  const response = await gateway.fetch(
    new Request("http://127.0.0.1/v1/messages", {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "claude-opus-5-5",
        max_tokens: 4000,
        messages: [{ role: "user", content: "A question that nobody else may read" }],
        ...fields,
      }),
    }),
  );
  await response.text();
  await settled();
  return spans();
}

const answering = (): Fetch =>
  emulate({ scripts: [script({}, [thinks("Hm."), says("An answer.")])] });

describe("R468 spans of a gateway", () => {
  it.each([
    ["that passes through", {}, "anthropic", "claude-opus-5-5"],
    ["that is translated", { model: "gpt-6-sol/high" }, "openai", "gpt-6-sol"],
  ])("one for a request %s, without what was said", async (_, routes, vendor, model) => {
    const spans = await spansOf(answering(), routes, { stream: true });
    expect(spans.map(({ name }) => name)).toEqual([`chat ${model}`]);
    expect(spans[0]?.attributes).toMatchObject({
      "gen_ai.provider.name": vendor,
      "gen_ai.request.model": model,
      "gen_ai.usage.input_tokens": expect.any(Number) as number,
      "gen_ai.usage.output_tokens": expect.any(Number) as number,
      "gen_ai.response.time_to_first_chunk": expect.any(Number) as number,
    });
    expect(JSON.stringify(spans[0]?.attributes)).not.toContain("nobody else");
  });

  it.each([
    ["that passes through", {}],
    ["that is translated", { model: "gpt-6-sol/high" }],
  ])("say what went wrong with a request %s", async (_, routes) => {
    const spans = await spansOf(emulate({ scripts: [script({}, [fails(500)])] }), routes);
    expect(spans).toHaveLength(1);
    expect(spans[0]?.status.code).toBe(SpanStatusCode.ERROR);
  });
});

describe("R468 MULL_OTEL and mull gateway", () => {
  afterEach(() => trace.disable());

  it("writes spans to the tracer that is registered", async () => {
    const { provider, spans } = collecting();
    trace.setGlobalTracerProvider(provider);
    const stop = new AbortController();
    const { code } = await mull(["gateway", "--simulate", "--port", "0"], {
      env: { MULL_OTEL: "1" },
      signal: stop.signal,
      out: async (text) => {
        const url = /http:\S+/.exec(text)?.[0] ?? "";
        const body = { contents: [{ role: "user", parts: [{ text: "What is 2 + 2?" }] }] };
        const answer = await fetch(`${url}/v1beta/models/gemini-3.8-flash:generateContent`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        await answer.text();
        stop.abort();
      },
    });
    expect(code).toBe(0);
    expect(spans().map(({ name }) => name)).toEqual(["chat gemini-3.8-flash"]);
  });

  it("refuses other words before it listens", async () => {
    const { code, err } = await mull(["gateway", "--simulate", "--port", "0"], {
      env: { MULL_OTEL: "true" },
    });
    expect(code).toBe(2);
    expect(err).toContain('MULL_OTEL: "true" is not allowed. Allowed: 1 content 0');
  });
});
