import { MullError } from "../types/error.ts";

/** 64 MiB: generous, because real events carry images and whole documents. */
export const defaultMaxEventBytes: number = 64 * 1024 * 1024;

const smallest = 1024;
const keptWhenIdle = 16 * 1024;
export const noBytes: Uint8Array = new Uint8Array(0);

/** Collects the bytes of a value that is spread over chunks. Every byte is copied O(1) times. */
export class ByteBuffer {
  #store = noBytes;
  #length = 0;

  length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    const needed = this.#length + to - from;
    if (needed > this.#store.length) {
      const grown = new Uint8Array(Math.max(smallest, needed * 2));
      grown.set(this.#store);
      this.#store = grown;
    }
    this.#store.set(slice(bytes, from, to), this.#length);
    this.#length = needed;
  }

  /** The bytes so far and room behind them, valid until the next call. */
  bytes(): Uint8Array {
    return this.#store;
  }

  clear(): void {
    this.#length = 0;
    if (this.#store.length > keptWhenIdle) this.#store = noBytes;
  }
}

/** Most chunks are wanted whole, and a view costs as much as decoding a line. */
export const slice = (bytes: Uint8Array, from: number, to: number): Uint8Array =>
  from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);

export const tooLarge = (maxBytes: number): MullError =>
  new MullError(
    `One event of the stream is larger than maxEventBytes (${maxBytes}). Raise maxEventBytes if such events are expected.`,
    { category: "protocol", code: "event_too_large" },
  );
