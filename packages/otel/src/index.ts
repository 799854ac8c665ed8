/** OpenTelemetry for mull: give `otel()` to `observe`, and every turn, request and tool is a span. */
export { flushTelemetry } from "./flush-telemetry.ts";
export { otel, type OtelOptions } from "./otel.ts";
