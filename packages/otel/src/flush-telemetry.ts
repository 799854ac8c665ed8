import { metrics, ProxyTracerProvider, trace } from "@opentelemetry/api";

/**
 * Sends what the registered SDK still holds back. Await it before the process ends: SDKs send every
 * few seconds, and what is left then is lost.
 */
export async function flushTelemetry(): Promise<void> {
  const tracing = trace.getTracerProvider();
  const providers: readonly object[] = [
    tracing instanceof ProxyTracerProvider ? tracing.getDelegate() : tracing,
    metrics.getMeterProvider(),
  ];
  // The API has no word for it; the SDKs of OpenTelemetry do.
  await Promise.allSettled(
    providers.map(async (each) => {
      if ("forceFlush" in each && typeof each.forceFlush === "function") await each.forceFlush();
    }),
  );
}
