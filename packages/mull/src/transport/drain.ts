type Step<E> = IteratorResult<E, undefined>;

/** Where a drain takes from. */
export interface Source<E> {
  readonly next: () => Promise<Step<E>>;
  /** What came together with the last one. */
  readonly takeReady: () => readonly E[];
}

/**
 * Reads a stream to its end for who waits for the whole. What comes meanwhile is kept for who reads
 * it piece by piece, so that neither takes anything from the other.
 */
export class Drain<E> {
  /** Settles with the stream, as it ended. */
  readonly end: Promise<void>;
  #kept: E[] = [];
  #isRead: boolean;
  #isOver = false;
  #pending: Promise<unknown> | undefined;

  constructor(source: Source<E>, isRead: boolean) {
    this.#isRead = isRead;
    this.end = this.#run(source);
  }

  /** Somebody reads: from now on nothing is thrown away. */
  keep(): void {
    this.#isRead = true;
  }

  async next(): Promise<Step<E>> {
    this.#isRead = true;
    while (this.#kept.length === 0 && !this.#isOver) await this.#pending?.catch(() => undefined);
    if (this.#kept.length > 0) return { done: false, value: this.#kept.shift()! };
    await this.end;
    return { done: true, value: undefined };
  }

  takeReady(): readonly E[] {
    return this.#kept.splice(0);
  }

  async #run(source: Source<E>): Promise<void> {
    try {
      for (;;) {
        const pending = source.next();
        this.#pending = pending;
        const step = await pending;
        if (step.done) return;
        const ready = source.takeReady();
        if (this.#isRead) this.#kept.push(step.value, ...ready);
      }
    } finally {
      this.#isOver = true;
    }
  }
}
