import type { AnswerHeaders } from "../transport/answer.ts";
import { isFromEmulator } from "../transport/answer.ts";
import { Feed } from "../transport/feed.ts";
import { AnswerReader, type ReadOptions } from "../transport/reader.ts";
import { send, type SendOptions, type SentResponse } from "../transport/send.ts";
import type { StreamEvent } from "../types/event.ts";
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

/** How `streamTurn` sends a request. */
export interface LeanOptions extends SendOptions, ReadOptions {
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

/**
 * Sends one request and streams the answer, as `streamChat` does, but with fewer parts: it makes no
 * plan, no prepared history, no rule checks and no receipt.
 */
export const streamTurn = (
  target: LeanTarget,
  request: LeanRequest,
  options: LeanOptions = {},
): AsyncIterableIterator<StreamEvent, undefined> =>
  new Feed(
    new AnswerReader(
      () => ask(target, request, options),
      (headers) => newDecoder(target, request, options, headers),
      options,
    ),
    options,
  );

const ask = (
  target: LeanTarget,
  request: LeanRequest,
  options: LeanOptions,
): Promise<SentResponse> => {
  const { wire, baseUrl, headers, provider = wire.id } = target;
  const thinking = request.thinking ?? { type: "default" };
  const encoded = wire.encode(
    { show: "auto", ...request, thinking, stream: true },
    { model: rowOf(target, request.model, thinking) },
  );
  return send(
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
      mayThink: true,
      decodeError: (failure) => wire.decodeError(failure, provider),
    },
    options,
  );
};

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
const rowOf = (target: LeanTarget, id: string, thinking: ThinkingSetting): Model => ({
  id,
  provider: target.provider ?? target.wire.id,
  wire: target.wire.id,
  thinking: traitsFor(thinking),
  shows: "summary",
  sampling: "free",
  toolChoice: "free",
  replay: "sealed",
  status: "current",
  ...target.model,
});

const traitsFor = (thinking: ThinkingSetting): ThinkingTraits =>
  thinking.type === "budget"
    ? { kind: "budget", min: 0, max: thinking.tokens, off: "omit", efforts }
    : thinking.type === "level"
      ? { kind: "level", levels: [thinking.level], off: "omit" }
      : { kind: "effort", efforts, off: "disabled" };
