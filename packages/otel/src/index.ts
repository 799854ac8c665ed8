/** OpenTelemetry for mull: give `otel()` to `observe`, and every turn, request and tool is a span. */
export { otel, type OtelOptions } from "./otel.ts";
