import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type MeterProvider,
  type Span,
  type TracerProvider,
} from "@opentelemetry/api";
import { sumReceipts, type Observation, type Observe, type ToolRun } from "mull";
import {
  errorType,
  receiptAttributes,
  replyAttributes,
  requestAttributes,
  usageAttributes,
  whoOf,
} from "./attributes.ts";
import { answeredContent, askedContent, calledContent, resultContent } from "./content.ts";
import { createInstruments, type Instruments } from "./instruments.ts";

/** The destination of spans and metrics, and what is in them. */
export interface OtelOptions {
  /** Default: the one that is registered globally. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the one that is registered globally. */
  readonly meterProvider?: MeterProvider;
  /** Also put what people, models and tools say into spans. Default: none of it. */
  readonly content?: boolean;
}

const scope = "@mull/otel";

/**
 * An observer for `observe` that writes spans and metrics as OpenTelemetry's GenAI conventions name
 * them: a span for each turn, request and tool call.
 */
export function otel(options: OtelOptions = {}): Observe {
  const { tracerProvider = trace, meterProvider = metrics, content = false } = options;
  const tracer = tracerProvider.getTracer(scope);
  const spans = new Spans((name, kind, at, attributes, parent) =>
    tracer.startSpan(name, { kind, startTime: at, attributes }, parent),
  );
  const telemetry: Telemetry = {
    spans,
    instruments: createInstruments(meterProvider.getMeter(scope)),
    content,
  };
  return Object.assign((seen: Observation) => write(seen, telemetry), {
    around: (tool: ToolRun, run: () => void) => {
      const open = spans.get(callKey(tool, tool.call.id));
      if (open === undefined) run();
      else context.with(trace.setSpan(context.active(), open.span), run);
    },
  });
}

interface Telemetry {
  readonly spans: Spans;
  readonly instruments: Instruments;
  readonly content: boolean;
}

/** A span that is not over. */
interface RunningSpan {
  readonly span: Span;
  readonly startedAt: number;
  readonly who: Attributes;
}

type StartSpan = (
  name: string,
  kind: SpanKind,
  at: number,
  attributes: Attributes,
  parent: Context,
) => Span;

/** The spans that are open, by the id of what they stand for. */
class Spans {
  readonly #start: StartSpan;
  readonly #open = new Map<string, RunningSpan>();

  constructor(start: StartSpan) {
    this.#start = start;
  }

  begin(
    id: string,
    { at, turnId }: Observation,
    name: string,
    kind: SpanKind,
    [who, more]: readonly [who: Attributes, more: Attributes],
  ): void {
    const turn = turnId === undefined ? undefined : this.#open.get(turnId);
    const parent = turn ? trace.setSpan(context.active(), turn.span) : context.active();
    const span = this.#start(name, kind, at, { ...who, ...more }, parent);
    this.#open.set(id, { span, startedAt: at, who });
  }

  get(id: string | undefined): RunningSpan | undefined {
    return id === undefined ? undefined : this.#open.get(id);
  }

  end(
    id: string | undefined,
    at: number,
    attributes: Attributes,
    error?: unknown,
  ): RunningSpan | undefined {
    const open = this.get(id);
    if (id === undefined || open === undefined) return undefined;
    this.#open.delete(id);
    open.span.setAttributes(attributes);
    if (error !== undefined) {
      open.span.setAttribute("error.type", errorType(error));
      const message = error instanceof Error ? error.message : "";
      open.span.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    open.span.end(at);
    return open;
  }
}

const callKey = (
  { turnId = "", step = 0 }: Pick<Observation, "turnId" | "step">,
  callId: string,
): string => `${turnId} ${step} ${callId}`;

function endRequest(
  seen: Extract<Observation, { type: "end" }>,
  { spans, instruments, content }: Telemetry,
): void {
  const { at, receipt, error } = seen;
  const said = {
    ...(receipt && receiptAttributes(receipt)),
    ...replyAttributes(seen),
    ...(content && answeredContent(seen)),
  };
  const open = spans.end(seen.requestId, at, said, error);
  if (open === undefined) return;
  if (receipt !== undefined) instruments.used(receipt, open.who);
  const failed = error !== undefined && { "error.type": errorType(error) };
  instruments.lasted((at - open.startedAt) / 1000, { ...open.who, ...failed });
}

function write(seen: Observation, telemetry: Telemetry): void {
  const { spans, instruments, content } = telemetry;
  const { at, requestId, turnId } = seen;
  switch (seen.type) {
    case "turn-start": {
      const who = whoOf("invoke_agent", seen.provider, seen.model);
      const more = { "gen_ai.request.reasoning.level": seen.level };
      spans.begin(turnId ?? "", seen, "invoke_agent", SpanKind.INTERNAL, [who, more]);
      return;
    }
    case "turn-end": {
      const { usage, cost, costAtLeast = cost } = sumReceipts(seen.receipts);
      const price = costAtLeast && { "mull.usage.cost_usd": costAtLeast.total };
      spans.end(turnId, at, { ...usageAttributes(usage), ...price }, seen.error);
      return;
    }
    case "composed": {
      const { plan } = seen;
      const who = whoOf("chat", plan.provider, plan.model);
      const more = { ...requestAttributes(seen), ...(content && askedContent(seen)) };
      spans.begin(requestId ?? "", seen, `chat ${plan.model}`, SpanKind.CLIENT, [who, more]);
      return;
    }
    case "first-byte": {
      const open = spans.get(requestId);
      if (open === undefined) return;
      const seconds = (at - open.startedAt) / 1000;
      open.span.setAttribute("gen_ai.response.time_to_first_chunk", seconds);
      instruments.began(seconds, open.who);
      return;
    }
    case "end":
      return endRequest(seen, telemetry);
    case "tool-start": {
      const { id, name } = seen.call;
      const who = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name };
      const more = {
        "gen_ai.tool.call.id": id,
        "gen_ai.tool.type": "function",
        ...(content && calledContent(seen)),
      };
      spans.begin(callKey(seen, id), seen, `execute_tool ${name}`, SpanKind.INTERNAL, [who, more]);
      return;
    }
    case "tool-end": {
      const failed = seen.result.isError === true && { "error.type": "tool_error" };
      const key = callKey(seen, seen.call.id);
      const more = { ...failed, ...(content && resultContent(seen)) };
      const span = spans.get(key)?.span;
      if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
      const open = spans.end(key, at, more);
      if (open) instruments.ran((at - open.startedAt) / 1000, { ...open.who, ...failed });
      return;
    }
    case "retry": {
      const { error = "", status } = seen.failed;
      const about = { "error.type": error, ...(status !== undefined && { status }) };
      spans.get(requestId)?.span.addEvent("mull.retry", about, at);
      return;
    }
    case "repair":
      spans.get(requestId)?.span.addEvent("mull.repair", { "mull.rule": seen.repair.rule }, at);
      return;
    case "fallback": {
      const { provider, model, reason } = seen.failed;
      const about = { "mull.reason": reason, ...whoOf("chat", provider, model) };
      spans.get(turnId)?.span.addEvent("mull.fallback", about, at);
      return;
    }
    case "sent":
    case "step":
      return;
    default:
      seen satisfies never;
  }
}
