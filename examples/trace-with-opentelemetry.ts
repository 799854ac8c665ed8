import { emulate } from "@mull/emulator";
import { otel } from "@mull/otel";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { Agent } from "mull";

const spans = new InMemorySpanExporter(); // in production: an OTLP exporter
const tracerProvider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(spans)],
});

const agent = new Agent("claude-opus-5-5/high", {
  fetch: emulate(),
  apiKey: "simulated",
  observe: otel({ tracerProvider }),
});
await agent.send("What is 23 * 47?");

for (const { name, attributes } of spans.getFinishedSpans()) {
  console.log(name, attributes["gen_ai.usage.reasoning.output_tokens"], "tokens of thinking");
}
