import { isMullError, type MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
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
}

/** One answer, read a network chunk at a time. */
export interface BatchReader {
  /**
   * The events of the next chunk that has any; none once the answer is over. Throws what went
   * wrong once everything before it was handed out.
   */
  readonly next: () => Promise<readonly StreamEvent[]>;
  /** Closes the connection. Idempotent. */
  readonly close: () => void;
}

const defaultMaxResponseBytes = 512 * 1024 * 1024;
const graceMs = 250;

export function createBatchReader(
  response: SentResponse,
  decoder: StreamDecoder,
  options: BatchOptions,
): BatchReader {
  const { lifeline, peer } = response;
  const maxBytes = options.maxResponseBytes ?? defaultMaxResponseBytes;
  const reader = response.body.getReader();
  let batch: StreamEvent[] = [];
  let frames = 0;
  let bytes = 0;
  let isOver = false;
  let failure: MullError | undefined;

  const framing = createFraming((data, event) => {
    frames++;
    if (data !== "" && !decoder.finished()) decoder.push(data, event, batch);
  }, options);

  const close = (): void => {
    if (isOver) return;
    isOver = true;
    lifeline.close();
    cancelReader(reader);
  };

  const fail = (error: MullError, note?: string): void => {
    close();
    const fields = {
      status: error.status ?? response.status,
      requestId: error.requestId ?? response.requestId,
      partial: error.partial ?? (frames > 0 ? partialOf(decoder) : undefined),
    };
    failure = rebuildError(error, peer, fields, note);
  };

  const decode = (chunk: Uint8Array | undefined): void => {
    try {
      if (chunk !== undefined) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLong(maxBytes, response);
        framing.push(chunk);
      } else {
        framing.end();
        if (bytes === 0) throw emptyResponse(response);
        if (!decoder.finished()) decoder.end(batch);
      }
    } catch (thrown) {
      const error = isMullError(thrown) ? thrown : undecodable(thrown, response);
      const isOurs = error.category === "protocol" && chunk !== undefined;
      return fail(error, isOurs ? ` (at byte ${framing.offset()} of the stream)` : "");
    }
    if (chunk !== undefined && !decoder.finished()) return;
    isOver = true;
    lifeline.release();
    // Most services end the body a moment after the terminal event.
    if (chunk !== undefined) void readBriefly(reader, graceMs, schedule);
  };

  const next = async (): Promise<readonly StreamEvent[]> => {
    batch = [];
    lifeline.deadline.resume();
    // oxlint-disable-next-line no-unmodified-loop-condition -- `decode` and `fail` end it
    while (batch.length === 0 && !isOver) {
      try {
        const step = await reader.read();
        const cut = lifeline.failure();
        if (cut !== undefined) fail(cut);
        else if (!isOver) {
          lifeline.deadline.byte();
          decode(step.done ? undefined : step.value);
        }
      } catch (thrown) {
        if (!isOver) fail(lifeline.failure() ?? connectionFailure(thrown, peer));
      }
    }
    if (batch.length === 0 && failure !== undefined) {
      const error = failure;
      failure = undefined;
      throw error;
    }
    lifeline.deadline.progress();
    lifeline.deadline.pause();
    return batch;
  };

  // A cancelled reader settles its pending read at once, whatever becomes of the connection.
  lifeline.onCut(() => cancelReader(reader));
  lifeline.deadline.pause();
  return { next, close };
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
