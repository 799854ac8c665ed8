import { setTimeout as sleep } from "node:timers/promises";

import type { Exchange, RecordedDelivery, RecordedFailure } from "./cassette.ts";
import { VcrError } from "./error.ts";
import { withUrl } from "./fetch.ts";

export interface Playback {
  readonly isPaced: boolean;
  readonly chunkSize: number | undefined;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

interface Asked {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
}

/** Answers as the service did: status, headers, pieces, pace, and the way it ended. */
export const playExchange = async (
  exchange: Exchange,
  { url, signal }: Asked,
  playback: Playback,
  file: string,
): Promise<Response> => {
  if (playback.isPaced) await waitFor(exchange.responseAt, signal, playback);
  const { response } = exchange;
  if (response === undefined) throw toError(exchange.failure, "fetch failed");
  const { status, statusText, headers } = response;
  const body = hasBody(status) ? playBody(exchange, signal, playback, file) : null;
  return withUrl(new Response(body, { status, statusText, headers }), url);
};

/** `Response` refuses a body with these. */
const hasBody = (status: number): boolean => ![101, 103, 204, 205, 304].includes(status);

const playBody = (
  exchange: Exchange,
  signal: AbortSignal | undefined,
  playback: Playback,
  file: string,
): ReadableStream<Uint8Array> => {
  const pieces = cut(exchange.deliveries, playback.chunkSize);
  let next = 0;
  let at = exchange.responseAt;
  const pass = async (until: number): Promise<void> => {
    if (playback.isPaced) await waitFor(until - at, signal, playback);
    at = Math.max(at, until);
    signal?.throwIfAborted();
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = pieces[next];
        next += 1;
        await pass(piece?.at ?? exchange.endAt);
        if (piece !== undefined) {
          // A copy: the reader may transfer or overwrite the buffer it gets.
          controller.enqueue(Uint8Array.from(piece.bytes));
        } else if (exchange.end === "complete") {
          controller.close();
        } else {
          if (exchange.end === "cancelled") await awaitLeave(signal);
          throw endOf(exchange, file);
        }
      },
    },
    { highWaterMark: 0 },
  );
};

/** Milliseconds that a reader has to leave where it left before. */
const patience = 1000;

/**
 * A client may read ahead of its user, who cancels only after seeing the end: at full speed
 * the recording would be over first.
 */
const awaitLeave = async (signal: AbortSignal | undefined): Promise<void> => {
  if (signal === undefined) return;
  await sleep(patience, undefined, { signal, ref: false }).catch(() => undefined);
  signal.throwIfAborted();
};

const waitFor = async (
  ms: number,
  signal: AbortSignal | undefined,
  { wait }: Playback,
): Promise<void> => {
  if (ms > 0) {
    await wait(ms, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  }
};

type Piece = Pick<RecordedDelivery, "bytes" | "at">;

/** A piece comes when its last byte came. */
const cut = (deliveries: readonly Piece[], size: number | undefined): readonly Piece[] => {
  const filled = deliveries.filter(({ bytes }) => bytes.length > 0);
  if (size === undefined) return filled;
  const whole = Buffer.concat(filled.map(({ bytes }) => bytes));
  const pieces: Piece[] = [];
  let index = 0;
  let known = filled[0]?.bytes.length ?? 0;
  for (let start = 0; start < whole.length; start += size) {
    const bytes = whole.subarray(start, start + size);
    while (known < start + bytes.length) {
      index += 1;
      known += filled[index]?.bytes.length ?? Infinity;
    }
    pieces.push({ bytes, at: filled[index]?.at ?? 0 });
  }
  return pieces;
};

const endOf = (exchange: Exchange, file: string): Error =>
  exchange.end === "broken"
    ? toError(exchange.broken, "terminated")
    : new VcrError(
        `${file}:${exchange.line}: the recording ends here because its reader stopped here. Record it again, reading to the end.`,
        { code: "cut-short", file, line: exchange.line },
      );

/** In the form in which the global `fetch` throws. */
const toError = (failure: RecordedFailure | undefined, fallback: string): Error => {
  const message = failure?.message ?? fallback;
  const code = failure?.code;
  if (failure?.name === "AbortError" || failure?.name === "TimeoutError") {
    return new DOMException(message, failure.name);
  }
  const cause = code === undefined ? undefined : Object.assign(new Error(message), { code });
  return new TypeError(message, { cause });
};
