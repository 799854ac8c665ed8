import { defaultMaxEventBytes } from "./byte-buffer.ts";
import { JsonSplitter } from "./json-values.ts";
import { SseSplitter, type FrameSink, type OnFrame, type Splitter } from "./sse.ts";

/** Limits of `createFraming`. */
export interface FramingOptions {
  /** Largest single event in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number;
}

/** A streamed body being cut into frames. */
export interface Framing {
  /** Hands every frame that `bytes` completes to `onFrame`, synchronously. Keeps no reference. */
  readonly push: (bytes: Uint8Array) => void;
  /** The same in steps of a few frames: reads on from `from` and returns where it stopped. */
  readonly step: (bytes: Uint8Array, from: number) => number;
  readonly end: () => void;
  /** Offset in the body of the frame being handed out, for messages. */
  readonly offset: () => number;
}

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const space = 32;
const openBracket = 91;
const openBrace = 123;

/**
 * Cuts the body of a streamed answer into frames. The first byte that is not white space tells
 * which kind it is: `[` or `{` are JSON objects in an array or one a line, all else are
 * server-sent events. A bare JSON object behind server-sent events is a frame too.
 */
export class Cutter implements Framing {
  readonly #sink: FrameSink;
  readonly #maxEventBytes: number;
  #splitter: Splitter | undefined;
  #bomBytes = 0;
  #isIndented = false;
  #chunkStart = 0;
  #chunkLength = 0;

  constructor(sink: FrameSink, maxEventBytes: number = defaultMaxEventBytes) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at = this.step(bytes, at);
  }

  step(bytes: Uint8Array, from: number): number {
    if (from === 0) {
      this.#chunkStart += this.#chunkLength;
      this.#chunkLength = bytes.length;
    }
    let start = from;
    if (this.#splitter === undefined) {
      start = this.#skipToContent(bytes);
      const first = bytes[start];
      if (first === undefined) return start;
      this.#splitter = this.#choose(first);
    }
    const stop = this.#splitter.step(bytes, start);
    if (stop > start) return stop;
    this.#splitter = new JsonSplitter(this.#sink, this.#maxEventBytes);
    return this.#splitter.step(bytes, start);
  }

  end(): void {
    this.#splitter?.end();
  }

  offset(): number {
    return this.#chunkStart + (this.#splitter?.position() ?? 0);
  }

  #choose(first: number): Splitter {
    if (first === openBrace || first === openBracket) {
      return new JsonSplitter(this.#sink, this.#maxEventBytes);
    }
    const sse = new SseSplitter(this.#sink, this.#maxEventBytes);
    // An indented field is an unknown field: the splitter must see the indent.
    if (this.#isIndented) sse.step(indent, 0);
    return sse;
  }

  #skipToContent(bytes: Uint8Array): number {
    let at = 0;
    while (this.#bomBytes < 3 && at < bytes.length && bytes[at] === byteOrderMark[this.#bomBytes]) {
      this.#bomBytes++;
      at++;
    }
    if (at < bytes.length) this.#bomBytes = 3;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 10 || byte === 13) this.#isIndented = false;
      else if (byte === 9 || byte === space) this.#isIndented = true;
      else break;
    }
    return at;
  }
}

const indent = Uint8Array.of(space);

/** Cuts a streamed body into frames and calls a function with each. */
export function createFraming(onFrame: OnFrame, options: FramingOptions = {}): Framing {
  const cutter = new Cutter({ onFrame }, options.maxEventBytes);
  return {
    push: (bytes) => cutter.push(bytes),
    step: (bytes, from) => cutter.step(bytes, from),
    end: () => cutter.end(),
    offset: () => cutter.offset(),
  };
}
