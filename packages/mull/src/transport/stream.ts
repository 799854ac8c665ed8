import type { MullError } from "../types/error.ts";
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
  /** The events that have come already and are not handed out yet; they then count as handed out. */
  readonly takeReady: () => readonly StreamEvent[];
}

/**
 * The events of a streamed answer. Reads one network chunk when the consumer wants more than the
 * last one held, decodes it as the events are asked for, and hands them out one by one: a generator
 * here would cost more than the decoding. Leaving the loop, an error and the terminal event all
 * close the connection.
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

  /** The next event of those that have come already. */
  const take = (): StreamEvent | undefined => {
    if (isOver && at === batch.length) return undefined;
    while (at === batch.length) {
      batch = batches.decode();
      at = 0;
      if (batch.length === 0) return undefined;
      const isStart = batch[0]!.type === "start";
      // The second answer's start is not news; what came with it is.
      if (hasStarted && isStart) at = 1;
      hasStarted ||= isStart;
      hasSpoken ||= batch.length > (isStart ? 1 : 0);
    }
    return batch[at++];
  };

  /** The answer is over: asks again where that may help, else ends as it did. */
  const settle = async (error: MullError | undefined): Promise<void> => {
    if (mayAskAgain && !hasSpoken && error !== undefined && isEarlyFailure(error)) {
      mayAskAgain = false;
      current = await current.again(error);
      batches = createBatchReader(current, options.newDecoder?.() ?? decoder, options);
      if (isOver) batches.close();
      return;
    }
    isOver = true;
    if (error !== undefined) throw error;
  };

  /** One `await` a chunk: another function that waits would cost as much as two events. */
  const fill = async (): Promise<Step> => {
    waiting++;
    try {
      for (;;) {
        if (isOver) return { done: true, value: undefined };
        if (batches.isOver()) {
          await settle(batches.failure());
          continue;
        }
        try {
          batches.take(await batches.read());
        } catch (thrown) {
          batches.lose(thrown);
        }
        const event = take();
        if (event !== undefined) return { done: false, value: event };
      }
    } finally {
      waiting--;
    }
  };

  /** Calls that do not wait for each other are served in order. */
  const queue = async (before: Promise<unknown> | undefined): Promise<Step> => {
    waiting++;
    try {
      await before?.catch(() => undefined);
      const event = take();
      return event === undefined ? await fill() : { done: false, value: event };
    } finally {
      waiting--;
    }
  };

  const close = (): void => {
    isOver = true;
    at = batch.length;
    batches.close();
  };

  return {
    next: () => {
      const event = waiting === 0 ? take() : undefined;
      if (event !== undefined) return Promise.resolve({ done: false, value: event });
      const turn = waiting === 0 ? fill() : queue(last);
      last = turn;
      return turn;
    },
    takeReady: () => {
      const ready: StreamEvent[] = [];
      for (let event = take(); event !== undefined; event = take()) ready.push(event);
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
const isEarlyFailure = (error: MullError): boolean =>
  (error.retryable || error.code === "truncated") &&
  error.category !== "timeout" &&
  error.category !== "quota";
