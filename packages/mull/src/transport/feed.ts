import { MullError } from "../types/error.ts";
import { type Schedule, schedule } from "./deadline.ts";
import { type RemotePeer, unreadFailure } from "./failure.ts";

/** Where a feed takes its events from. Nothing happens before the first pull. */
export interface FeedSource<E> {
  /** The next events, as many as came together; an empty list once the source is over. Throws the error that ended it. */
  readonly pull: () => Promise<E[]>;
  /** Ends it early. Settles when connection and timers are released. */
  readonly close: () => Promise<void>;
  /** How long events may lie unread before the source is abandoned. */
  readonly idleMs: () => number;
  /** Ends it because the reader is gone. Returns the error for a late reader, made with `unread`; `undefined` if it was over. */
  readonly abandon: (unread: (peer?: RemotePeer) => MullError) => MullError | undefined;
}

type FeedStep<T> = IteratorResult<T, undefined>;

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * What every stream of the library does for its readers: hands out events one by one and in order,
 * lets a caller wait for the end at the same time, refuses a second loop, and closes its source when the
 * reader leaves or is gone.
 */
export class Feed<E> implements AsyncIterableIterator<E, undefined> {
  readonly #source: FeedSource<E>;
  readonly #schedule: Schedule;
  #events: E[] = [];
  #at = 0;
  #pulling: Promise<void> | undefined;
  /** How many calls of `next` wait for an event. */
  #waiting = 0;
  #last: Promise<unknown> | undefined;
  #hasLoop = false;
  #isDrained = false;
  #isOver = false;
  #isLeft = false;
  #failure: { readonly error: unknown } | undefined;
  #isFailureTold = false;
  /** Whether an event was taken since `#checkReader` last ran. */
  #isRead = false;
  #cancelWatch: (() => void) | undefined;

  constructor(source: FeedSource<E>, options: { readonly schedule?: Schedule | undefined }) {
    this.#source = source;
    this.#schedule = options.schedule ?? schedule;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<E, undefined> {
    return this.loop((event) => event);
  }

  next(): Promise<FeedStep<E>> {
    return this.take((event) => event);
  }

  /** The next events, as many as are there; none once the source is over. */
  async together(): Promise<readonly E[]> {
    if ((await this.next()).done === true) return [];
    const events = this.#events.slice(this.#at - 1);
    this.#at = this.#events.length;
    return events;
  }

  /** The loop over the events. A second one is refused: the two would take turns, and each would miss half of the answer. */
  loop<T>(toItem: (event: E) => T): AsyncIterableIterator<T, undefined> {
    if (this.#hasLoop) throw alreadyRead();
    this.#hasLoop = true;
    const loop: AsyncIterableIterator<T, undefined> = {
      next: () => this.take(toItem),
      return: () => this.return(),
      [Symbol.asyncIterator]: () => loop,
    };
    return loop;
  }

  take<T>(toItem: (event: E) => T): Promise<FeedStep<T>> {
    this.#isRead = true;
    if (this.#waiting === 0 && this.#at < this.#events.length)
      return Promise.resolve({ done: false, value: toItem(this.#events[this.#at++]!) });
    const step = this.#wait(toItem, this.#waiting === 0 ? undefined : this.#last);
    this.#last = step;
    return step;
  }

  /** Reads to the end and keeps the events, so that a loop at the same time or later still gets them all. */
  async drain(): Promise<void> {
    this.#isDrained = true;
    while (!this.#isOver) await this.#pull();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isLeft = true;
    this.#events = [];
    this.#at = 0;
    this.#end();
    await this.#source.close();
    return over;
  }

  /** For a caller who calls `next` twice without awaiting the first: `before` is the earlier call, which gets the earlier event. */
  async #wait<T>(
    toItem: (event: E) => T,
    before: Promise<unknown> | undefined,
  ): Promise<FeedStep<T>> {
    this.#waiting++;
    try {
      if (before !== undefined) await before.catch(() => undefined);
      while (this.#at === this.#events.length && !this.#isOver) await this.#pull();
      if (this.#at < this.#events.length)
        return { done: false, value: toItem(this.#events[this.#at++]!) };
      if (this.#failure === undefined || this.#isFailureTold) return over;
      this.#isFailureTold = true;
      throw this.#failure.error;
    } finally {
      this.#waiting--;
    }
  }

  #pull(): Promise<void> {
    this.#pulling ??= this.#pullOnce();
    return this.#pulling;
  }

  async #pullOnce(): Promise<void> {
    try {
      const events = await this.#source.pull();
      if (this.#isLeft) return;
      if (events.length === 0) return this.#end();
      if (this.#at < this.#events.length) this.#events.push(...events);
      else {
        this.#events = events;
        this.#at = 0;
      }
      this.#watch();
    } catch (error) {
      if (!this.#isLeft) this.#failure = { error };
      this.#end();
    } finally {
      this.#pulling = undefined;
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelWatch?.();
  }

  /** A program that drops a stream half-read makes no call that says so. So a timer checks every `idleMs` whether anything was read since, and the stream ends after one to two times `idleMs`. */
  #watch(): void {
    this.#cancelWatch ??= this.#schedule(() => this.#checkReader(), this.#source.idleMs(), true);
  }

  #checkReader(): void {
    this.#cancelWatch = undefined;
    if (this.#isOver) return;
    const isGone = !this.#isRead && !this.#isDrained && this.#waiting === 0;
    this.#isRead = false;
    if (!isGone) return this.#watch();
    const ms = this.#source.idleMs();
    const error = this.#source.abandon((peer) => unreadFailure(ms, peer));
    if (error !== undefined) this.#failure = { error };
    this.#end();
  }
}

const alreadyRead = (): MullError =>
  new MullError(
    "This stream is already read by a loop. Read it in one loop, and pass on what that yields.",
    { category: "invalid_argument", code: "already_read" },
  );
