import { metrics, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

// For `node --import`. The address is in OTEL_EXPORTER_OTLP_ENDPOINT; http://localhost:4318 by default.
const every = Number(process.env["OTEL_METRIC_EXPORT_INTERVAL"] ?? 60_000);
const reader = new PeriodicExportingMetricReader({
  exporter: new OTLPMetricExporter(),
  exportIntervalMillis: every,
  exportTimeoutMillis: Math.min(every, 30_000),
});
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
