import { isMullError, type MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
import { type BatchOptions, createBatchReader } from "./batches.ts";
import type { SentResponse } from "./send.ts";

export interface StreamOptions extends BatchOptions {
  /** Makes a fresh decoder. With it, an answer that fails before it said anything is asked for again, once. */
  readonly newDecoder?: () => StreamDecoder;
}

type Step = IteratorResult<StreamEvent, undefined>;

export interface EventStream extends AsyncIterableIterator<StreamEvent, undefined> {
  /** The events that are decoded already and not handed out yet; they then count as handed out. */
  readonly takeReady: () => readonly StreamEvent[];
}

/**
 * The events of a streamed answer. Reads one network chunk when the consumer wants more than the
 * last one held, decodes all of it at once, and hands the events out one by one: a generator here
 * would cost more than the decoding. Leaving the loop, an error and the terminal event all close
 * the connection.
 */
export function streamEvents(
  response: SentResponse,
  decoder: StreamDecoder,
  options: StreamOptions = {},
): EventStream {
  let current = response;
  let batches = createBatchReader(response, decoder, options);
  let batch: readonly StreamEvent[] = [];
  let at = 0;
  let hasStarted = false;
  let hasSpoken = false;
  let mayAskAgain = options.newDecoder !== undefined;
  let isOver = false;
  let waiting = 0;
  let last: Promise<unknown> | undefined;

  const askAgain = async (error: MullError): Promise<void> => {
    mayAskAgain = false;
    current = await current.again(error);
    const fresh = options.newDecoder?.() ?? decoder;
    batches = createBatchReader(current, fresh, options);
    if (isOver) batches.close();
  };

  const fill = async (): Promise<Step> => {
    waiting++;
    try {
      while (!isOver) {
        try {
          batch = await batches.next();
        } catch (error) {
          if (mayAskAgain && !hasSpoken && isEarlyFailure(error)) {
            await askAgain(error);
            continue;
          }
          isOver = true;
          throw error;
        }
        // The second answer's start is not news.
        at = hasStarted && batch[0]?.type === "start" ? 1 : 0;
        hasStarted = true;
        hasSpoken ||= batch.length > 1 || batch[0]?.type !== "start";
        const event = batch[at++];
        if (event !== undefined) return { done: false, value: event };
        if (batch.length === 0) isOver = true;
      }
      return { done: true, value: undefined };
    } finally {
      waiting--;
    }
  };

  /** Calls that do not wait for each other are served in order. */
  const queue = async (before: Promise<unknown> | undefined): Promise<Step> => {
    waiting++;
    try {
      await before?.catch(() => undefined);
      const event = batch[at];
      if (event === undefined) return await fill();
      at++;
      return { done: false, value: event };
    } finally {
      waiting--;
    }
  };

  const close = (): void => {
    isOver = true;
    batch = [];
    batches.close();
  };

  return {
    next: () => {
      const event = batch[at];
      if (waiting === 0 && event !== undefined) {
        at++;
        return Promise.resolve({ done: false, value: event });
      }
      const turn = waiting === 0 ? fill() : queue(last);
      last = turn;
      return turn;
    },
    takeReady: () => {
      const ready = batch.slice(at);
      at = batch.length;
      return ready;
    },
    return: () => {
      close();
      return Promise.resolve({ done: true, value: undefined });
    },
    throw: (error) => {
      close();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Nothing was said yet, and asking again may help. The caller's own limits are not overstepped. */
const isEarlyFailure = (error: unknown): error is MullError =>
  isMullError(error) &&
  (error.retryable || error.code === "truncated") &&
  error.category !== "timeout" &&
  error.category !== "quota";
