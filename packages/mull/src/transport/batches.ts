import { isMullError, type MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
import { requestIdOf } from "./answer-head.ts";
import { schedule } from "./deadline.ts";
import { connectionFailure, protocolFailure, rebuildError } from "./failure.ts";
import { createFraming } from "./framing.ts";
import { cancelReader, readBriefly } from "./read-briefly.ts";
import type { SentResponse } from "./send.ts";

export interface BatchOptions {
  /** Largest single event in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number;
  /** Largest body in bytes, after decompression. Default 512 MiB. */
  readonly maxResponseBytes?: number;
  /** The first frame has come. */
  readonly onFirst?: () => void;
  /** The answer is whole; the last event is the whole of it. */
  readonly onFinish?: (last: StreamEvent | undefined) => void;
}

type Chunk = ReadableStreamReadResult<Uint8Array>;

/** One answer, read a network chunk at a time and decoded a few events at a time. */
export interface BatchReader {
  /** The next events in the bytes that have come; none when it takes more bytes, or all is over. */
  readonly decode: () => readonly StreamEvent[];
  /** Waits for more bytes; `take` or, when it rejects, `lose` is told what came of it. */
  readonly read: () => Promise<Chunk>;
  readonly take: (chunk: Chunk) => void;
  readonly lose: (thrown: unknown) => void;
  /** Nothing will come any more. */
  readonly isOver: () => boolean;
  /** What went wrong. It counts once everything before it was handed out. */
  readonly failure: () => MullError | undefined;
  /** Closes the connection. Idempotent. */
  readonly close: () => void;
}

const defaultMaxResponseBytes = 512 * 1024 * 1024;
const graceMs = 250;
const noBytes: Uint8Array = new Uint8Array(0);

export function createBatchReader(
  response: SentResponse,
  decoder: StreamDecoder,
  options: BatchOptions,
): BatchReader {
  const { lifeline, peer } = response;
  const { deadline } = lifeline;
  const maxBytes = options.maxResponseBytes ?? defaultMaxResponseBytes;
  const reader = response.body.getReader();
  /** `undefined` once the body has ended. */
  let chunk: Uint8Array | undefined = noBytes;
  let at = 0;
  /** The first events of a chunk are handed out at once; more of them are cheaper together. */
  let enough = 1;
  let batch: StreamEvent[] = [];
  let frames = 0;
  let bytes = 0;
  let isOver = false;
  let failure: MullError | undefined;

  const framing = createFraming((data, event) => {
    if (frames++ === 0) options.onFirst?.();
    if (data !== "" && !decoder.finished()) decoder.push(data, event, batch);
  }, options);

  const close = (): void => {
    if (isOver) return;
    isOver = true;
    lifeline.close();
    cancelReader(reader);
  };

  const fail = (error: MullError, note?: string): void => {
    if (isOver) return;
    close();
    const fields = {
      status: error.status ?? response.status,
      requestId: error.requestId ?? requestIdOf(response.headers),
      partial: error.partial ?? (frames > 0 ? partialOf(decoder) : undefined),
    };
    failure = rebuildError(error, peer, fields, note);
  };

  const finish = (): void => {
    isOver = true;
    lifeline.release();
    options.onFinish?.(batch.at(-1));
    // Most services end the body a moment after the terminal event.
    if (chunk !== undefined) void readBriefly(reader, graceMs, schedule);
  };

  const decodeEnd = (): void => {
    framing.end();
    if (bytes === 0) throw emptyResponse(response);
    if (!decoder.finished()) decoder.end(batch);
    finish();
  };

  const decodeSome = (): void => {
    try {
      if (chunk === undefined) return decodeEnd();
      while (at < chunk.length && batch.length < enough) at = framing.step(chunk, at);
      enough *= 2;
      if (decoder.finished()) finish();
    } catch (thrown) {
      const error = isMullError(thrown) ? thrown : undecodable(thrown, response);
      const isOurs = error.category === "protocol" && chunk !== undefined;
      fail(error, isOurs ? ` (at byte ${framing.offset()} of the stream)` : "");
    }
  };

  const decode = (): readonly StreamEvent[] => {
    batch = [];
    if (isOver || at === chunk?.length) return batch;
    const cut = lifeline.failure();
    if (cut === undefined) decodeSome();
    else fail(cut);
    if (batch.length > 0) deadline.news();
    else deadline.byte();
    return batch;
  };

  const read = (): Promise<Chunk> => {
    deadline.wait();
    return reader.read();
  };

  const take = ({ value }: Chunk): void => {
    chunk = value;
    at = 0;
    enough = 1;
    bytes += value?.length ?? 0;
    if (bytes > maxBytes) fail(tooLong(maxBytes, response));
  };

  const lose = (thrown: unknown): void =>
    fail(lifeline.failure() ?? connectionFailure(thrown, peer));

  // A cancelled reader settles its pending read at once, whatever becomes of the connection.
  lifeline.onCut(() => cancelReader(reader));
  deadline.pause();
  return { decode, read, take, lose, isOver: () => isOver, failure: () => failure, close };
}

/** A decoder that fell over must not hide why. */
function partialOf(decoder: StreamDecoder): Reply | undefined {
  try {
    return decoder.partial();
  } catch {
    return undefined;
  }
}

const emptyResponse = ({ status, peer }: SentResponse): MullError =>
  protocolFailure("empty_response", `${peer.host} answered ${status} with an empty body.`, peer, {
    retryable: true,
  });

const tooLong = (maxBytes: number, { peer }: SentResponse): MullError =>
  protocolFailure(
    "response_too_large",
    `${peer.host} sent more than maxResponseBytes (${maxBytes}). Raise maxResponseBytes if such answers are expected.`,
    peer,
  );

const undecodable = (thrown: unknown, { peer }: SentResponse): MullError =>
  protocolFailure(
    "undecodable",
    `${peer.host} sent an event that could not be read (${thrown instanceof Error ? thrown.name : typeof thrown}).`,
    peer,
  );
