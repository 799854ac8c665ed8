import { MullError } from "../types/error.ts";
import type { AgentEvent } from "./event.ts";
import type { AgentResult } from "./result.ts";

type Step = IteratorResult<AgentEvent, undefined>;

export const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Between a turn and who reads it. The turn puts in what came together and waits until it is wanted
 * on; the reader takes the events one by one. A class that both call, not generators in generators:
 * each of those would cost every network chunk a few steps, and code compiled for it is thrown away
 * with the turn.
 */
export class TurnReader {
  readonly #begin: (reader: TurnReader) => Promise<AgentResult>;
  /** Settles when the turn is over, however it ended. */
  #turn: Promise<void> | undefined;
  #batch: readonly AgentEvent[] = [];
  #at = 0;
  #onTake: (() => void) | undefined;
  #waiting = 0;
  #last: Promise<unknown> | undefined;
  #isOver = false;
  #isLeft = false;
  /** Lets the turn go on, or ends it. */
  #release: { readonly go: () => void; readonly leave: (reason: Error) => void } | undefined;
  /** Tells the reader that something came. */
  #wake: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #result: AgentResult | undefined;

  constructor(begin: (reader: TurnReader) => Promise<AgentResult>) {
    this.#begin = begin;
  }

  next(): Promise<Step> {
    this.#onTake?.();
    if (this.#waiting === 0 && this.#at < this.#batch.length)
      return Promise.resolve({ done: false, value: this.#batch[this.#at++]! });
    const step = this.#fill(this.#waiting === 0 ? undefined : this.#last);
    this.#last = step;
    return step;
  }

  takeReady(): readonly AgentEvent[] {
    const ready = this.#batch.slice(this.#at);
    this.#at = this.#batch.length;
    return ready;
  }

  /**
   * For the turn: hands on what came, and waits until more is wanted. Throws when nobody wants more.
   * `onTake` is told whenever the reader asks for an event.
   */
  put(events: readonly AgentEvent[], onTake?: () => void): Promise<void> {
    if (this.#isLeft) return Promise.reject(left());
    if (events.length === 0) return Promise.resolve();
    this.#batch = events;
    this.#at = 0;
    this.#onTake = onTake;
    this.#wake?.();
    return new Promise((go, leave) => {
      this.#release = { go, leave };
    });
  }

  async stop(): Promise<void> {
    this.takeReady();
    if (this.#turn === undefined) return;
    this.#isLeft = true;
    this.#release?.leave(left());
    await this.#turn;
  }

  /** The outcome of a turn that is over; throws what ended it. */
  result(): AgentResult {
    if (this.#result !== undefined) return this.#result;
    throw this.#failure === undefined ? left() : this.#failure.error;
  }

  /** Calls that do not wait for each other are served in order. */
  async #fill(before: Promise<unknown> | undefined): Promise<Step> {
    this.#waiting++;
    try {
      if (before !== undefined) await before.catch(() => undefined);
      if (this.#at >= this.#batch.length) await this.#more();
      return this.#at < this.#batch.length
        ? { done: false, value: this.#batch[this.#at++]! }
        : over;
    } finally {
      this.#waiting--;
    }
  }

  /** Until the turn has put something in, or is over; throws what ended it, once. */
  async #more(): Promise<void> {
    if (this.#isOver) return;
    const came = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (this.#turn === undefined) this.#turn = this.#run();
    else this.#release?.go();
    await came;
    if (this.#isOver && this.#failure !== undefined && !this.#isLeft) throw this.#failure.error;
  }

  async #run(): Promise<void> {
    try {
      this.#result = await this.#begin(this);
    } catch (error) {
      if (!this.#isLeft) this.#failure = { error };
    }
    this.#isOver = true;
    this.#wake?.();
  }
}

const left = (): MullError =>
  new MullError("The turn was left before its end, so there is no result.", {
    category: "aborted",
  });
