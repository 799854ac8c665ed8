import type { BodyEnd, RecordedFailure } from "./cassette.ts";
import { VcrError } from "./error.ts";
import type { ExchangeWriter } from "./exchange-writer.ts";
import type { Redactor } from "./redact.ts";

/** The exchange that a body belongs to. */
interface OpenExchange {
  readonly writer: ExchangeWriter;
  /** Milliseconds since the request. */
  readonly elapsed: () => number;
  readonly signal: AbortSignal | undefined;
  readonly redactor: Redactor;
}

/** Milliseconds that `done()` waits for a body that is still being read. */
const patience = 10_000;

/**
 * Reads from the service only when the client reads, and writes before it passes on. Nothing runs
 * ahead, and only what the redactor keeps back is held.
 */
export class RecordedBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #exchange: OpenExchange;
  #state: "unread" | "reading" | "ended" = "unread";
  /** Kept, because a reader that has what it wants calls done() before the end is written. */
  #ending: Promise<void> | undefined;
  #pulling: Promise<void> | undefined;

  constructor(source: ReadableStream<Uint8Array>, exchange: OpenExchange) {
    const reader = source.getReader();
    const { signal } = exchange;
    this.#reader = reader;
    this.#exchange = exchange;
    // A connection whose last byte came as its reader left may answer neither way.
    const leave = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
    signal?.addEventListener("abort", leave, { once: true });
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.#pull(controller),
        cancel: (reason) => this.#cancel(reason),
      },
      // Nothing is fetched before it is asked for.
      { highWaterMark: 0 },
    );
  }

  /** Reads a body that no one has started to read, waits for an active reader, refuses one that was abandoned halfway. */
  async settle(file: string): Promise<void> {
    await this.#ending;
    if (this.#state === "unread") while ((await this.#next()) !== undefined);
    await this.#awaitReader();
    await this.#ending;
    if (this.#state === "reading") {
      throw new VcrError(
        `${file}: a response is still being read. Read it to its end or cancel it before done().`,
        { code: "unfinished", file },
      );
    }
  }

  async abandon(): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "ended";
    await this.#reader.cancel().catch(() => undefined);
  }

  #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#state === "unread") this.#state = "reading";
    this.#pulling = this.#handOn(controller).finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #cancel(reason: unknown): Promise<void> {
    const { writer, elapsed } = this.#exchange;
    this.#state = "ended";
    this.#ending = this.#reader.cancel(reason).then(() => writer.end("cancelled", elapsed()));
    await this.#ending;
  }

  async #handOn(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const value = await this.#next();
    if (value === undefined) controller.close();
    else controller.enqueue(value);
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { writer, elapsed, signal, redactor } = this.#exchange;
    try {
      const { done, value } = await this.#reader.read();
      if (!done) {
        await writer.deliver(value, elapsed());
        return value;
      }
      signal?.throwIfAborted();
    } catch (error) {
      const how = signal?.aborted === true ? "cancelled" : "broken";
      await this.#end(how, describeFailure(error, redactor));
      throw error;
    }
    await this.#end("complete");
    return undefined;
  }

  #end(how: BodyEnd, failure?: RecordedFailure): Promise<void> {
    const { writer, elapsed } = this.#exchange;
    this.#state = "ended";
    this.#ending = writer.end(how, elapsed(), failure);
    return this.#ending;
  }

  /** A client that has its answer may still be reading to the end; one that asks for nothing more is not. */
  async #awaitReader(): Promise<void> {
    const late = AbortSignal.timeout(patience);
    const tooLate = aborted(late);
    await turnOfEvents();
    while (this.#isAskedFor() && !late.aborted) {
      await Promise.race([this.#pulling?.catch(() => undefined), tooLate]);
      await turnOfEvents();
    }
  }

  #isAskedFor(): boolean {
    return this.#state === "reading" && this.#pulling !== undefined;
  }
}

const turnOfEvents = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** What a recording keeps of a failure. */
export const describeFailure = (error: unknown, redactor: Redactor): RecordedFailure => {
  const { name, message, cause } =
    error instanceof Error ? error : { name: "Error", message: String(error), cause: undefined };
  const code = [cause, error]
    .map((thrown) =>
      typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined,
    )
    .find((found) => typeof found === "string");
  return { name, message: redactor.text(message), ...(code !== undefined && { code }) };
};
