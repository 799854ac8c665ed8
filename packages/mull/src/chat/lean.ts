import { type AnswerHeaders, isFromEmulator, type SentResponse } from "../transport/answer.ts";
import { AnswerReader, type ReadOptions } from "../transport/reader.ts";
import { sendOnce, type SendOnceOptions, type SendOnceRequest } from "../transport/send-once.ts";
import { isMullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { WireId } from "../types/message.ts";
import { efforts, type Model, type ThinkingTraits } from "../types/model.ts";
import type { ThinkingSetting } from "../types/plan.ts";
import type { WireRequest } from "../types/request.ts";
import type { StreamDecoder, Wire } from "../types/wire.ts";
import { newCallId } from "./call-id.ts";
import { joinHeaders } from "../wire/common/headers.ts";
import { writeBody } from "../wire/common/write-body.ts";

/** A provider's wire, address and key, and a model id. Nothing is looked up. */
export interface LeanTarget {
  readonly wire: Wire;
  readonly baseUrl: string;
  /** Request headers, including the key. Their values never appear in an error. */
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the provider, for origins and errors. Default: the wire's id. */
  readonly provider?: string;
  /** Where the model differs from one that takes everything: fields of its row. */
  readonly model?: Partial<Model>;
}

/** A request for `streamTurn`. */
export interface LeanRequest extends Omit<WireRequest, "stream" | "show" | "thinking"> {
  /** Sent as it is. Default: the service decides. */
  readonly thinking?: ThinkingSetting;
  readonly show?: WireRequest["show"];
}

/** How `streamTurn` sends a request and reads its answer. */
export interface LeanOptions extends SendOnceOptions, ReadOptions {
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

/**
 * Sends one request and streams the answer, as `streamChat` does, but with fewer parts: no plan, no
 * prepared history, no rule checks, no time limits and no receipt. A service that says when to come
 * back is asked again then, twice at most. Leaving the loop closes the connection.
 */
export async function* streamTurn(
  target: LeanTarget,
  request: LeanRequest,
  options: LeanOptions = {},
): AsyncGenerator<StreamEvent, undefined> {
  const reader = new AnswerReader(
    () => ask(target, request, options),
    (headers) => newDecoder(target, request, options, headers),
    options,
  );
  try {
    for (;;) {
      const events = await reader.pull();
      if (events.length === 0) return undefined;
      yield* events;
    }
  } finally {
    await reader.close();
  }
}

const ask = (
  { wire, baseUrl, headers, provider = wire.id, model }: LeanTarget,
  request: LeanRequest,
  options: LeanOptions,
): Promise<SentResponse> => {
  const thinking = request.thinking ?? { type: "default" };
  const row = { ...rowOf(wire.id, provider, request.model, thinking), ...model };
  const encoded = wire.encode({ show: "auto", ...request, thinking, stream: true }, { model: row });
  return askAgain(
    {
      url: baseUrl.replace(/\/+$/, "") + encoded.path,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        ...joinHeaders(encoded.headers, headers),
      },
      body: writeBody(encoded.body, request.messages),
      provider,
      secrets: Object.values(headers),
      decodeError: (failure) => wire.decodeError(failure, provider),
    },
    options,
  );
};

const mostRetries = 2;
/** Timers that are longer fire at once. */
const longestTimer = 2 ** 31 - 1;

async function askAgain(request: SendOnceRequest, options: LeanOptions): Promise<SentResponse> {
  for (let retry = 0; ; retry++) {
    try {
      return await sendOnce(request, options);
    } catch (error) {
      const wait = isMullError(error) ? error.retryAfterMs : undefined;
      if (wait === undefined || wait > longestTimer || retry === mostRetries) throw error;
      await pause(wait, options.signal);
    }
  }
}

/** Ends early when the signal does: what is sent next then says so. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : ms);
    signal?.addEventListener("abort", end);
  });

const newDecoder = (
  { wire, baseUrl, provider = wire.id }: LeanTarget,
  { model }: LeanRequest,
  options: LeanOptions,
  headers: AnswerHeaders,
): StreamDecoder =>
  wire.decodeStream({
    origin: {
      wire: wire.id,
      provider,
      endpoint: new URL(baseUrl).origin,
      model,
      ...(isFromEmulator(headers) && { simulated: true }),
    },
    now: options.clock ?? Date.now,
    newId: options.newId ?? newCallId,
  });

/** A row for a model that takes what is asked of it. */
const rowOf = (wire: WireId, provider: string, id: string, thinking: ThinkingSetting): Model => ({
  id,
  provider,
  wire,
  thinking: traitsFor(thinking),
  shows: "summary",
  sampling: "free",
  toolChoice: "free",
  replay: "sealed",
  status: "current",
});

const traitsFor = (thinking: ThinkingSetting): ThinkingTraits =>
  thinking.type === "budget"
    ? { kind: "budget", min: 0, max: thinking.tokens, off: "omit", efforts }
    : thinking.type === "level"
      ? { kind: "level", levels: [thinking.level], off: "omit" }
      : { kind: "effort", efforts, off: "disabled" };
