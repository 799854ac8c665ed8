type Step<E> = IteratorResult<E, undefined>;

/** Where a drain takes from. */
export interface Source<E> {
  readonly next: () => Promise<Step<E>>;
  /** What came together with the last one. */
  readonly takeReady: () => readonly E[];
}

/**
 * Reads a stream to its end for a caller who waits for the whole answer. What comes is kept for a
 * loop, beside it or later: neither takes anything from the other.
 */
export class Drain<E> {
  /** Settles with the stream, as it ended. */
  readonly end: Promise<void>;
  #kept: E[] = [];
  /** The first that nobody has taken: `shift` would move all of the others each time. */
  #at = 0;
  readonly #keeps: boolean;
  #isOver = false;
  #pending: Promise<unknown> | undefined;

  constructor(source: Source<E>, keeps: boolean) {
    this.#keeps = keeps;
    this.end = this.#run(source);
  }

  async next(): Promise<Step<E>> {
    while (this.#at === this.#kept.length && !this.#isOver)
      await this.#pending?.catch(() => undefined);
    if (this.#at < this.#kept.length) return { done: false, value: this.#take() };
    await this.end;
    return { done: true, value: undefined };
  }

  takeReady(): readonly E[] {
    const ready = this.#kept.slice(this.#at);
    this.#kept = [];
    this.#at = 0;
    return ready;
  }

  #take(): E {
    const value = this.#kept[this.#at++]!;
    if (this.#at === this.#kept.length) this.takeReady();
    return value;
  }

  async #run(source: Source<E>): Promise<void> {
    try {
      for (;;) {
        const pending = source.next();
        this.#pending = pending;
        const step = await pending;
        if (step.done) return;
        const ready = source.takeReady();
        if (!this.#keeps) continue;
        this.#kept.push(step.value);
        for (const event of ready) this.#kept.push(event);
      }
    } finally {
      this.#isOver = true;
    }
  }
}
