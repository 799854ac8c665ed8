import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { calls, emulate, fails, says, script } from "@mull/emulator";
import { otel } from "@mull/otel";
import { Agent, chat, tool, type AgentOptions } from "mull";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const look = tool({
  name: "look",
  input: { type: "object" },
  run: () => {
    throw new Error("too dark");
  },
});
const models = ["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash", "gpt-5"];
const refs = models.map((id) => (id === "gpt-5" ? `openai-chat:${id}/high` : `${id}/high`));

const collecting = () => {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  });
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const metrics = async () => {
    await reader.forceFlush();
    const all =
      measured
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics: own }) => own) ?? [];
    await reader.shutdown();
    return new Map(all.map((each) => [each.descriptor.name, each.dataPoints]));
  };
  return { spans: () => spans.getFinishedSpans(), metrics, tracerProvider, meterProvider };
};

const named = (spans: readonly ReadableSpan[], start: string): readonly ReadableSpan[] =>
  spans.filter(({ name }) => name.startsWith(start));

const askedTwice = async (
  ref: string,
  content: boolean,
): Promise<ReturnType<typeof collecting>> => {
  const collected = collecting();
  const { tracerProvider, meterProvider } = collected;
  const options: AgentOptions = {
    fetch: emulate({
      scripts: [
        script({ turn: 1 }, [fails(500)], [calls("look", { at: "secret place" })]),
        script({ turn: 2 }, [says("It is dark there.")]),
      ],
    }),
    apiKey: "key-of-mine",
    sleep: () => Promise.resolve(),
    system: "secret orders",
    maxOutputTokens: 3000,
    tools: [look],
    observe: otel({ tracerProvider, meterProvider, content }),
  };
  await new Agent(ref, options).send("A secret question");
  await settled();
  return collected;
};

const textOf = (spans: readonly ReadableSpan[]): string =>
  JSON.stringify(
    spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );

describe("otel", () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  afterAll(() => context.disable());

  it.each(refs)("R465 writes a turn of %s as nested spans", async (ref) => {
    const { spans } = await askedTwice(ref, false);
    const [turn] = named(spans(), "invoke_agent");
    const requests = named(spans(), "chat ");
    const [ran] = named(spans(), "execute_tool look");
    expect(requests).toHaveLength(2);
    for (const span of [...requests, ran])
      expect(span?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
    const id = ref.replace(/^.*:|\/.*$/g, "");
    expect(requests[0]?.name).toBe(`chat ${id}`);
    expect(requests[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": id,
      "gen_ai.request.reasoning.level": "high",
      "mull.request.reasoning.applied": expect.any(String),
      "gen_ai.response.finish_reasons": ["tool-calls"],
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.usage.output_tokens": expect.any(Number),
      "mull.usage.cost_usd": expect.any(Number),
      "server.port": 443,
    });
    expect(requests[0]?.events.map(({ name }) => name)).toEqual(["mull.retry"]);
    expect(ran?.status.code).toBe(SpanStatusCode.ERROR);
    expect(ran?.attributes).toMatchObject({
      "gen_ai.tool.name": "look",
      "error.type": "tool_error",
    });
  });

  it("R465 counts cached tokens as input and thinking as output", async () => {
    const { spans, tracerProvider } = collecting();
    const result = await chat(
      "claude-opus-5-5/high",
      { messages: [{ role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] }] },
      { fetch: emulate(), apiKey: "k", observe: otel({ tracerProvider }) },
    );
    await settled();
    const { input = 0, output = 0, thinking = 0 } = result.usage;
    expect(thinking).toBeGreaterThan(0);
    expect(spans()[0]?.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": output + thinking,
      "gen_ai.usage.reasoning.output_tokens": thinking,
    });
  });

  it("R465 hangs below the caller's span, and says how a request failed", async () => {
    const { spans, tracerProvider } = collecting();
    const outer = tracerProvider.getTracer("test").startSpan("outer");
    await context.with(trace.setSpan(context.active(), outer), async () => {
      const options = { fetch: emulate({ faults: "status=529" }), apiKey: "k", maxAttempts: 1 };
      const agent = new Agent("gpt-6-sol", { ...options, observe: otel({ tracerProvider }) });
      await expect(agent.send("Hi")).rejects.toMatchObject({ status: 529 });
    });
    await settled();
    const [turn] = named(spans(), "invoke_agent");
    expect(turn?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    for (const span of spans()) {
      expect(span.status.code).toBe(SpanStatusCode.ERROR);
      expect(span.attributes["error.type"]).toEqual(expect.any(String));
    }
    expect(spans()).toHaveLength(2);
  });

  it("R465 what a tool does hangs below the span of its call", async () => {
    const { spans, tracerProvider } = collecting();
    const query = (): string => {
      tracerProvider.getTracer("database").startSpan("query").end();
      return "found";
    };
    const find = tool({ name: "find", input: { type: "object" }, run: query });
    const emulator = emulate({
      scripts: [script({}, [calls("find"), calls("find")], [says("Ok.")])],
    });
    const options = { fetch: emulator, apiKey: "k", tools: [find] };
    await new Agent("gpt-6-sol", { ...options, observe: otel({ tracerProvider }) }).send("Find");
    await settled();
    const ids = named(spans(), "execute_tool").map((span) => span.spanContext().spanId);
    const parents = named(spans(), "query").map((span) => span.parentSpanContext?.spanId);
    expect(ids).toHaveLength(2);
    expect(new Set(parents)).toEqual(new Set(ids));
  });

  it("R465 starts a tool whose span it does not know", () => {
    const started: string[] = [];
    const call = { type: "tool-call", id: "c", name: "find", input: {} } as const;
    otel().around?.({ call, turnId: "t", step: 0 }, () => started.push("find"));
    expect(started).toEqual(["find"]);
  });

  it.each(refs)("R466 measures tokens, durations and cost of %s", async (ref) => {
    const { metrics } = await askedTwice(ref, false);
    const points = await metrics();
    expect([...points.keys()].toSorted()).toEqual([
      "gen_ai.client.operation.duration",
      "gen_ai.client.operation.time_to_first_chunk",
      "gen_ai.client.token.usage",
      "gen_ai.execute_tool.duration",
      "mull.client.cost",
    ]);
    const types = points
      .get("gen_ai.client.token.usage")
      ?.map(({ attributes }) => attributes["gen_ai.token.type"]);
    expect(types).toEqual(["input", "output"]);
    expect(points.get("gen_ai.client.operation.duration")?.[0]?.value).toMatchObject({ count: 2 });
  });

  it.each(refs)("R467 writes what was said to %s only where it is asked to", async (ref) => {
    const silent = await askedTwice(ref, false);
    const told = await askedTwice(ref, true);
    expect(textOf(silent.spans())).not.toMatch(/secret|dark|key-of-mine/);
    const text = textOf(told.spans());
    for (const word of [
      "secret question",
      "secret orders",
      "secret place",
      "too dark",
      "It is dark",
    ])
      expect(text).toContain(word);
    expect(text).not.toContain("key-of-mine");
  });
});
