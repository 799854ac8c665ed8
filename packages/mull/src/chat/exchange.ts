import { findModel } from "../catalogue/find-model.ts";
import { createFraming } from "../transport/framing.ts";
import { invalidArgument, MullError, requireObject } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { HeaderFields } from "../types/http.ts";
import { wireIds, type Origin, type WireId } from "../types/message.ts";
import type { Quirks } from "../types/quirks.ts";
import type { DecodeContext, Wire } from "../types/wire.ts";
import { lowerCased } from "../wire/common/headers.ts";
import { createHotReader } from "../wire/common/hot-delta.ts";
import { replyDecoders } from "../wire/reply-decoders.ts";
import { wires } from "../wire/wires.ts";
import { newCallId } from "./call-id.ts";

/** An answer as it was logged or recorded. */
export interface Exchange {
  readonly wire: WireId;
  /** The body as text or bytes; a whole reply or a stream in any framing. */
  readonly body: string | Uint8Array;
  /** Default: guessed from the body. */
  readonly stream?: boolean;
  /** Default 200. */
  readonly status?: number;
  readonly headers?: HeaderFields;
  /** Who answered, for the origin of seals. Defaults follow the model. */
  readonly model?: string;
  readonly provider?: string;
  readonly endpoint?: string;
  readonly account?: string;
  readonly quirks?: Quirks;
  /** Handed to the framing in pieces of this many bytes; default all at once. */
  readonly chunkSize?: number;
  readonly onEvent?: (event: StreamEvent) => void;
  readonly newId?: () => string;
}

/**
 * Decodes a logged answer. Throws the `MullError` it stands for; the error of a cut stream has what
 * arrived in `partial`.
 */
export function readExchange(exchange: Exchange): Reply {
  requireObject("exchange", exchange, "an object with wire and body");
  const wire = wires[exchange.wire];
  if (wire === undefined) throw invalidArgument("wire", exchange.wire, wireIds);
  if (typeof exchange.body !== "string" && !ArrayBuffer.isView(exchange.body))
    throw invalidArgument("body", exchange.body, "the answer as text or bytes");
  const { status = 200 } = exchange;
  const context = contextOf(exchange);
  const text =
    typeof exchange.body === "string" ? exchange.body : new TextDecoder().decode(exchange.body);
  if (status >= 300) {
    throw wire.decodeError(
      { status, headers: lowerCased(exchange.headers), body: text },
      context.origin.provider,
    );
  }
  return (exchange.stream ?? looksStreamed(text))
    ? readStream(wire, exchange, context)
    : replyDecoders[exchange.wire](parseBody(text, exchange.wire), { ...context, text });
}

const looksStreamed = (text: string): boolean =>
  /^[\uFEFF\s]*(?:\[|event:|data:|error:|id:|retry:|:)/.test(text) ||
  /^\s*\{[^\n]*\}\r?\n\s*\{/.test(text);

function readStream(wire: Wire, exchange: Exchange, context: DecodeContext): Reply {
  const decoder = wire.decodeStream(context);
  const events: StreamEvent[] = [];
  let reply: Reply | undefined;
  const settle = (): void => {
    for (const event of events.splice(0)) {
      exchange.onEvent?.(event);
      if (event.type === "finish") reply = event.reply;
    }
  };
  const framing = createFraming((data, event) => {
    if (!decoder.finished()) decoder.push(data, event, events);
    settle();
  });
  const bytes =
    typeof exchange.body === "string" ? new TextEncoder().encode(exchange.body) : exchange.body;
  const size = exchange.chunkSize ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) framing.push(bytes.subarray(at, at + size));
  framing.end();
  decoder.end(events);
  settle();
  if (reply !== undefined) return reply;
  throw new MullError("The stream ended without an answer.", {
    category: "protocol",
    code: "truncated",
    provider: context.origin.provider,
    partial: decoder.partial(),
  });
}

function contextOf(exchange: Exchange): DecodeContext {
  const row = findModel(exchange.model ?? "");
  const origin: Origin = {
    wire: exchange.wire,
    provider: exchange.provider ?? row.provider,
    model: exchange.model ?? "unknown",
    ...(exchange.endpoint !== undefined && { endpoint: exchange.endpoint }),
    ...(exchange.account !== undefined && { account: exchange.account }),
  };
  return {
    origin,
    now: () => 0,
    newId: exchange.newId ?? newCallId,
    hotReader: createHotReader,
    ...(exchange.quirks !== undefined && { quirks: exchange.quirks }),
  };
}

function parseBody(text: string, wire: WireId): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MullError(
      `The body is not JSON, so it is not a ${wire} reply. For a logged stream, pass stream: true.`,
      { category: "protocol", code: "invalid_json" },
      { cause: cause instanceof Error ? new Error(cause.name) : undefined },
    );
  }
}
