import { MullError } from "../types/error.ts";

type Step<E> = IteratorResult<E, undefined>;

/** What a loop is over. */
interface Looped<E> {
  readonly next: () => Promise<Step<E>>;
  readonly return?: () => Promise<Step<E>>;
}

/** The one loop over a stream. Two would take turns, and each would miss half of the answer. */
export class Loop<E> implements AsyncIterableIterator<E, undefined> {
  readonly #over: Looped<E>;

  /** Refused where there is a loop `before` it. */
  constructor(over: Looped<E>, before: Loop<E> | undefined) {
    if (before !== undefined) throw alreadyRead();
    this.#over = over;
  }

  next(): Promise<Step<E>> {
    return this.#over.next();
  }

  async return(): Promise<Step<E>> {
    await this.#over.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const alreadyRead = (): MullError =>
  new MullError(
    "This stream has a loop already, which takes its events. Read it in one loop, and hand on what that yields.",
    { category: "invalid_argument", code: "already_read" },
  );
