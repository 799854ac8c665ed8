import { MullError } from "../types/error.ts";

/** 64 MiB: generous, because real events carry images and whole documents. */
export const defaultMaxEventBytes: number = 64 * 1024 * 1024;

const smallest = 1024;
const keptWhenIdle = 16 * 1024;
const noBytes = new Uint8Array(0);

/** Collects the bytes of a value that is spread over chunks. Every byte is copied O(1) times. */
export interface ByteBuffer {
  readonly length: () => number;
  readonly append: (bytes: Uint8Array, from: number, to: number) => void;
  /** The bytes so far, valid until the next call. */
  readonly bytes: () => Uint8Array;
  readonly clear: () => void;
}

export function createByteBuffer(maxBytes: number): ByteBuffer {
  let store = noBytes;
  let length = 0;
  return {
    length: () => length,
    append: (bytes, from, to) => {
      const needed = length + to - from;
      if (needed > maxBytes) throw tooLarge(maxBytes);
      if (needed > store.length) {
        const grown = new Uint8Array(Math.max(smallest, Math.min(maxBytes, needed * 2)));
        grown.set(store.subarray(0, length));
        store = grown;
      }
      store.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), length);
      length = needed;
    },
    bytes: () => store,
    clear: () => {
      length = 0;
      if (store.length > keptWhenIdle) store = noBytes;
    },
  };
}

export const tooLarge = (maxBytes: number): MullError =>
  new MullError(
    `One event of the stream is larger than maxEventBytes (${maxBytes}). Raise maxEventBytes if such events are expected.`,
    { category: "protocol", code: "event_too_large" },
  );
