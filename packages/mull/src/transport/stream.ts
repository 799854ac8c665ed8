import type { MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { StreamDecoder } from "../types/wire.ts";
import type { ReadStep } from "./answer.ts";
import { type BatchOptions, BatchReader } from "./batches.ts";
import type { SentResponse } from "./send.ts";

export interface StreamOptions extends BatchOptions {
  /** Makes a fresh decoder. With it, an answer that fails before it said anything is asked for again, once. */
  readonly newDecoder?: () => StreamDecoder;
}

type Step = IteratorResult<StreamEvent, undefined>;

export interface EventStream extends AsyncIterableIterator<StreamEvent, undefined> {
  /** The events that have come already and are not handed out yet; they then count as handed out. */
  readonly takeReady: () => readonly StreamEvent[];
  /** Somebody still reads what was handed out together. */
  readonly touch?: () => void;
  /** What ended the answer before its end. */
  readonly failure?: () => MullError | undefined;
}

/** The events of a streamed answer. Leaving the loop, an error and the terminal event all close the connection. */
export const streamEvents = (
  response: SentResponse,
  decoder: StreamDecoder,
  options: StreamOptions = {},
): EventStream => new Events(response, decoder, options);

/**
 * Reads one network chunk when the consumer wants more than the last one held, decodes it as the
 * events are asked for, and hands them out one by one: a generator here would cost more than the
 * decoding.
 */
class Events implements EventStream {
  #response: SentResponse;
  readonly #decoder: StreamDecoder;
  readonly #options: StreamOptions;
  #batches: BatchReader;
  #batch: readonly StreamEvent[] = [];
  #at = 0;
  #hasStarted = false;
  #hasSpoken = false;
  #mayAskAgain: boolean;
  #isOver = false;
  #failure: MullError | undefined;
  #waiting = 0;
  #last: Promise<unknown> | undefined;

  constructor(response: SentResponse, decoder: StreamDecoder, options: StreamOptions) {
    this.#response = response;
    this.#decoder = decoder;
    this.#options = options;
    this.#batches = new BatchReader(response, decoder, options);
    this.#mayAskAgain = options.newDecoder !== undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    const event = this.#waiting === 0 ? this.#take() : undefined;
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    const turn = this.#waiting === 0 ? this.#fill() : this.#queue(this.#last);
    this.#last = turn;
    return turn;
  }

  takeReady(): readonly StreamEvent[] {
    const ready: StreamEvent[] = [];
    for (let event = this.#take(); event !== undefined; event = this.#take()) ready.push(event);
    return ready;
  }

  touch(): void {
    this.#batches.touch();
  }

  failure(): MullError | undefined {
    return this.#failure;
  }

  return(): Promise<Step> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<Step> {
    this.#close();
    return Promise.reject(error);
  }

  /** The next event of those that have come already. */
  #take(): StreamEvent | undefined {
    if (this.#isOver && this.#at === this.#batch.length) return undefined;
    while (this.#at === this.#batch.length) {
      this.#batch = this.#batches.decode();
      this.#at = 0;
      if (this.#batch.length === 0) return undefined;
      const isStart = this.#batch[0]!.type === "start";
      // The second answer's start is not news; what came with it is.
      if (this.#hasStarted && isStart) this.#at = 1;
      this.#hasStarted ||= isStart;
      this.#hasSpoken ||= this.#batch.length > (isStart ? 1 : 0);
    }
    this.#batches.touch();
    return this.#batch[this.#at++];
  }

  /** Most chunks hold an event: a function that waits would cost as much as two of them. */
  #fill(): Promise<Step> {
    this.#waiting++;
    return this.#batches.isOver()
      ? this.#goOn()
      : this.#batches.read().then(this.#onChunk, this.#onLoss);
  }

  readonly #onChunk = (chunk: ReadStep): Step | Promise<Step> => {
    this.#batches.take(chunk);
    return this.#handOut();
  };

  readonly #onLoss = (thrown: unknown): Step | Promise<Step> => {
    this.#batches.lose(thrown);
    return this.#handOut();
  };

  #handOut(): Step | Promise<Step> {
    const event = this.#take() ?? this.#batches.beat();
    if (event === undefined) return this.#goOn();
    this.#waiting--;
    return { done: false, value: event };
  }

  /** Reads until there is an event, however many chunks that takes, or the end. */
  async #goOn(): Promise<Step> {
    try {
      for (;;) {
        if (this.#isOver) return { done: true, value: undefined };
        if (this.#batches.isOver()) {
          await this.#settle(this.#batches.failure());
          continue;
        }
        try {
          this.#batches.take(await this.#batches.read());
        } catch (thrown) {
          this.#batches.lose(thrown);
        }
        const event = this.#take() ?? this.#batches.beat();
        if (event !== undefined) return { done: false, value: event };
      }
    } finally {
      this.#waiting--;
    }
  }

  /** The answer is over: asks again where that may help, else ends as it did. */
  async #settle(error: MullError | undefined): Promise<void> {
    const mayHelp = error !== undefined && !this.#hasSpoken && isEarlyFailure(error);
    if (mayHelp && this.#mayAskAgain) {
      this.#mayAskAgain = false;
      this.#response = await this.#response.again(error);
      const decoder = this.#options.newDecoder?.() ?? this.#decoder;
      this.#batches = new BatchReader(this.#response, decoder, this.#options);
      if (this.#isOver) this.#batches.close();
      return;
    }
    this.#isOver = true;
    this.#failure = error;
    if (error !== undefined) throw error;
  }

  /** Calls that do not wait for each other are served in order. */
  async #queue(before: Promise<unknown> | undefined): Promise<Step> {
    this.#waiting++;
    try {
      await before?.catch(() => undefined);
      const event = this.#take();
      return event === undefined ? await this.#fill() : { done: false, value: event };
    } finally {
      this.#waiting--;
    }
  }

  #close(): void {
    this.#isOver = true;
    this.#at = this.#batch.length;
    this.#batches.close();
  }
}

/** Nothing was said yet, and asking again may help. The caller's own limits are not overstepped. */
const isEarlyFailure = (error: MullError): boolean =>
  (error.retryable || error.code === "truncated") &&
  error.category !== "timeout" &&
  error.category !== "quota";
