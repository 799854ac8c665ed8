import { ByteBuffer, tooLarge } from "./byte-buffer.ts";
import type { FrameSink, Splitter } from "./sse.ts";

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/**
 * Cuts a body of JSON objects into its objects: an array of them, one a line, or just one behind
 * another. What stands between objects (brackets, commas, white space) is skipped.
 */
export class JsonSplitter implements Splitter {
  readonly #sink: FrameSink;
  readonly #maxEventBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #carry = new ByteBuffer();
  #depth = 0;
  #inString = false;
  #escaped = false;
  #position = 0;

  constructor(sink: FrameSink, maxEventBytes: number) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
  }

  step(bytes: Uint8Array, from: number): number {
    const start = this.#depth === 0 ? bytes.indexOf(openBrace, from) : from;
    if (start < 0) return bytes.length;
    this.#position = start;
    const end = this.#findEnd(bytes, start);
    const to = end < 0 ? bytes.length : end;
    const size = this.#carry.length() + to - start;
    if (size > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
    if (end < 0) this.#carry.append(bytes, start, to);
    else this.#emit(bytes, start, to);
    return to;
  }

  end(): void {
    this.#carry.clear();
  }

  position(): number {
    return this.#position;
  }

  /** Returns the index behind the object that is open at `from`, or -1 when it goes on. */
  #findEnd(bytes: Uint8Array, from: number): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (byte === quote) this.#inString = false;
        else if (byte === backslash) this.#escaped = true;
      } else if (byte === quote) this.#inString = true;
      else if (byte === openBrace || byte === openBracket) this.#depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --this.#depth === 0) return i + 1;
    }
    return -1;
  }

  #emit(bytes: Uint8Array, from: number, to: number): void {
    const carry = this.#carry;
    let whole = bytes.subarray(from, to);
    if (carry.length() > 0) {
      carry.append(bytes, from, to);
      whole = carry.bytes().subarray(0, carry.length());
      carry.clear();
    }
    this.#sink.onFrame(this.#decoder.decode(whole), undefined);
  }
}
