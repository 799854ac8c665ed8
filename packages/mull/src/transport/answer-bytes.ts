import type { AnswerBody, ByteReader, ReadStep } from "./answer.ts";

interface Waiting {
  readonly resolve: (step: ReadStep) => void;
  readonly reject: (error: unknown) => void;
}

const mostUnread = 262_144;
/** `queueMicrotask` would make a resource of Node's for each. */
const soon = Promise.resolve();
const over: ReadStep = { done: true, value: undefined };

/**
 * The bytes of an answer until they are read. All that came together is handed out as one: services
 * write a chunk an event, and readers pay by the chunk. A web stream would do the same for several
 * times the price.
 */
export class AnswerBytes implements AnswerBody, ByteReader {
  readonly #resume: () => void;
  readonly #abort: (reason: unknown) => void;
  #unread: Uint8Array[] = [];
  #bytes = 0;
  #waiting: Waiting | undefined;
  #end: "open" | "whole" | "left" | { readonly error: unknown } = "open";

  /** `resume`: there is room again. `abort`: nobody reads on. */
  constructor(resume: () => void, abort: (reason: unknown) => void) {
    this.#resume = resume;
    this.#abort = abort;
  }

  /** `false`: nobody has read what came before. */
  push(chunk: Uint8Array): boolean {
    if (this.#end === "left") return true;
    // What comes together comes in one go, and the microtask after it.
    if (this.#bytes === 0 && this.#waiting !== undefined) void soon.then(() => this.#settle());
    this.#unread.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes < mostUnread;
  }

  end(): void {
    if (this.#end === "open") this.#end = "whole";
    this.#settle();
  }

  fail(error: unknown): void {
    if (this.#end === "open") this.#end = { error };
    this.#settle();
  }

  getReader(): this {
    return this;
  }

  /** One at a time. */
  read(): Promise<ReadStep> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#settle();
    });
  }

  async cancel(reason?: unknown): Promise<void> {
    if (this.#end === "open") this.#abort(reason ?? new Error("nobody reads the answer"));
    this.#end = "left";
    this.#unread = [];
    this.#bytes = 0;
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || (this.#bytes === 0 && this.#end === "open")) return;
    this.#waiting = undefined;
    if (this.#bytes > 0) waiting.resolve({ done: false, value: this.#take() });
    else if (typeof this.#end === "string") waiting.resolve(over);
    else waiting.reject(this.#end.error);
  }

  #take(): Uint8Array {
    const unread = this.#unread;
    const bytes = unread.length === 1 ? unread[0]! : joined(unread, this.#bytes);
    const wasFull = this.#bytes >= mostUnread;
    this.#unread = [];
    this.#bytes = 0;
    if (wasFull) this.#resume();
    return bytes;
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The same as a web stream. Nothing is taken before it is asked for. */
export const toByteStream = (reader: ByteReader): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
