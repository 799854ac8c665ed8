import { MullError } from "../types/error.ts";
import type { ServerSentEvent } from "../types/http.ts";

/** Limits of `createFraming`. */
export interface FramingOptions {
  /** Largest single event in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number | undefined;
}

/** A streamed body being cut into frames. */
export interface Framing {
  /** Hands every frame that `bytes` completes to `onFrame`, synchronously. Keeps no reference. */
  readonly push: (bytes: Uint8Array) => void;
  readonly end: () => void;
  /** Where in the body the current frame begins, for error messages. */
  readonly offset: () => number;
}

type OnFrame = (data: string, event: string | undefined) => void;

/** Cuts a body into frames. */
interface Splitter {
  /** Reads `bytes` from `from` and returns where it stopped: what is left is for another splitter. */
  readonly push: (bytes: Uint8Array, from: number) => number;
  readonly end: () => void;
  /** Where in the bytes of the current `push` the frame being handed out was found. */
  readonly position: () => number;
}

/** 64 MiB: generous, because real events carry images and whole documents. */
const defaultMaxEventBytes = 64 * 1024 * 1024;
const smallest = 1024;
const keptWhenIdle = 16 * 1024;
/** No bytes. Unlike an empty `subarray` it keeps no buffer alive. */
export const noBytes: Uint8Array = new Uint8Array(0);

const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * Cuts a streamed body into frames and calls a function with each. The first byte that is not white space tells
 * which kind it is: `[` or `{` are JSON objects in an array or one a line, all else are
 * server-sent events. A bare JSON object after server-sent events is a frame too.
 */
export function createFraming(onFrame: OnFrame, options: FramingOptions = {}): Framing {
  const { maxEventBytes = defaultMaxEventBytes } = options;
  const opening: Opening = { bomBytes: 0, isIndented: false };
  let splitter: Splitter | undefined;
  let chunkStart = 0;
  let chunkLength = 0;
  return {
    push: (bytes) => {
      chunkStart += chunkLength;
      chunkLength = bytes.length;
      const start = splitter === undefined ? skipOpening(bytes, opening) : 0;
      if (start === bytes.length) return;
      splitter ??=
        bytes[start] === openBrace || bytes[start] === openBracket
          ? new JsonSplitter(onFrame, maxEventBytes)
          : new SseSplitter(onFrame, maxEventBytes, opening.isIndented);
      const stop = splitter.push(bytes, start);
      if (stop === bytes.length) return;
      splitter = new JsonSplitter(onFrame, maxEventBytes);
      splitter.push(bytes, stop);
    },
    end: () => splitter?.end(),
    offset: () => chunkStart + (splitter?.position() ?? 0),
  };
}

/** What was seen before the first frame, which may come in pieces. */
interface Opening {
  bomBytes: number;
  isIndented: boolean;
}

/** Skips a byte order mark and white space before the first frame. */
function skipOpening(bytes: Uint8Array, opening: Opening): number {
  let at = 0;
  while (
    opening.bomBytes < 3 &&
    at < bytes.length &&
    bytes[at] === byteOrderMark[opening.bomBytes]
  ) {
    opening.bomBytes++;
    at++;
  }
  if (at < bytes.length) opening.bomBytes = 3;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isLineEnd(byte)) opening.isIndented = false;
    else if (byte === tab || byte === space) opening.isIndented = true;
    else break;
  }
  return at;
}

/**
 * Reads server-sent events as the standard says, with three tolerances: a last event without its
 * blank line counts when its data is whole; a line that begins with `{`, which the standard
 * ignores, ends the events: it is a bare JSON error; and a field `error`, as gpustack sends it, is
 * an event of that name.
 */
class SseSplitter implements Splitter {
  readonly #onFrame: OnFrame;
  readonly #maxEventBytes: number;
  // Without `ignoreBOM` the decoder would drop U+FEFF at the start of any chunk, where it is part of the text.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The bytes of a line whose end has not come yet. */
  readonly #carry = new ByteBuffer();
  #afterCarriageReturn = false;
  #data: string | undefined;
  #event: string | undefined;
  /** The lines being read: their text, their bytes, and how far those are ahead of the chunk. */
  #text = "";
  #source = noBytes;
  #sourceStart = 0;
  #shift = 0;
  #lineStart = 0;

  /** `isIndented`: the white space that was skipped belongs to the first line, e.g. `  data: x`, which is an unknown field. */
  constructor(onFrame: OnFrame, maxEventBytes: number, isIndented: boolean) {
    this.#onFrame = onFrame;
    this.#maxEventBytes = maxEventBytes;
    if (isIndented) this.#carry.append(Uint8Array.of(space), 0, 1);
  }

  push(bytes: Uint8Array, from: number): number {
    const size = bytes.length;
    const start = this.#afterCarriageReturn && bytes[from] === lineFeed ? from + 1 : from;
    this.#afterCarriageReturn = bytes[size - 1] === carriageReturn;
    let end = size;
    while (end > start && !isLineEnd(bytes[end - 1])) end--;
    if (end > start && this.#readWholeLines(bytes, start, end)) return this.position();
    if (end < size && this.#carry.length === 0 && bytes[end] === openBrace) {
      this.#dispatch();
      return end;
    }
    this.#carry.append(bytes, end, size);
    if (this.#carry.length > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
    // Otherwise a silent stream would keep its last chunk in memory.
    this.#source = noBytes;
    this.#text = "";
    return size;
  }

  end(): void {
    const carry = this.#carry;
    this.#readLines(carry.bytes, 0, carry.length);
    carry.clear();
    if (this.#data !== undefined && isWhole(this.#data)) this.#dispatch();
  }

  /** Counts lines, not characters: a broken byte became U+FFFD in the text, which is three bytes long. */
  position(): number {
    const lines = this.#text.slice(0, this.#lineStart).match(/\r\n?|\n/g) ?? [];
    return lines.reduce((at) => nextLine(this.#source, at), this.#sourceStart) - this.#shift;
  }

  #dispatch(): void {
    const frame = this.#data;
    const name = this.#event;
    this.#data = this.#event = undefined;
    if (frame !== undefined) this.#onFrame(frame, name);
  }

  #readLine(text: string, from: number, to: number): void {
    if (from === to) return this.#dispatch();
    const code = text.charCodeAt(from);
    if (code === 100) {
      const value = valueOf(text, from, to, "data");
      if (value < 0) return;
      const line = text.slice(value, to);
      const data = this.#data === undefined ? line : `${this.#data}\n${line}`;
      if (data.length > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
      this.#data = data;
    } else if (code === 101) {
      const value = valueOf(text, from, to, "event");
      if (value >= 0) this.#event = text.slice(value, to) || undefined;
      else this.#readError(text, from, to);
    }
  }

  #readError(text: string, from: number, to: number): void {
    const value = valueOf(text, from, to, "error");
    if (value < 0) return;
    this.#dispatch();
    this.#onFrame(text.slice(value, to), "error");
  }

  /** Reads whole lines, the first of which may have begun in an earlier chunk: it alone is copied. */
  #readWholeLines(bytes: Uint8Array, from: number, to: number): boolean {
    const carry = this.#carry;
    if (carry.length === 0) return this.#readLines(bytes, from, to);
    const next = nextLine(bytes, from);
    this.#shift = carry.length - from;
    carry.append(bytes, from, next);
    this.#readLines(carry.bytes, 0, carry.length);
    carry.clear();
    this.#shift = 0;
    return this.#readLines(bytes, next, to);
  }

  /** Reads whole lines. Stops at a bare JSON object and says whether it did. */
  #readLines(bytes: Uint8Array, from: number, to: number): boolean {
    const text = this.#decoder.decode(bytes.subarray(from, to));
    this.#text = text;
    this.#source = bytes;
    this.#sourceStart = from;
    const size = text.length;
    let nextCr = text.indexOf("\r");
    for (let start = 0; start < size;) {
      this.#lineStart = start;
      const code = text.charCodeAt(start);
      if (code === openBrace) {
        this.#dispatch();
        return true;
      }
      let end = text.indexOf("\n", start);
      if (end < 0) end = size;
      if (nextCr >= 0 && nextCr < start) nextCr = text.indexOf("\r", start);
      let next = end + 1;
      if (nextCr >= 0 && nextCr < end) {
        if (nextCr + 1 < end) next = nextCr + 1;
        end = nextCr;
      }
      this.#readLine(text, start, end);
      start = next;
    }
    return false;
  }
}

const isLineEnd = (byte: number | undefined): boolean =>
  byte === lineFeed || byte === carriageReturn;

/** The index after the first line end at or after `from`, or the end of the bytes. */
function nextLine(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isLineEnd(bytes[at])) at++;
  if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) at++;
  return Math.min(at + 1, bytes.length);
}

/** Where the value of `field` begins on this line; negative when the line has another field. */
function valueOf(text: string, from: number, to: number, field: string): number {
  const after = from + field.length;
  for (let i = 1; i < field.length; i++) {
    if (text.charCodeAt(from + i) !== field.charCodeAt(i)) return -1;
  }
  if (after === to) return to;
  if (text.charCodeAt(after) !== colon) return -1;
  return after + 1 < to && text.charCodeAt(after + 1) === space ? after + 2 : after + 1;
}

/** Whether a last event without its blank line is complete: a JSON object that was cut off is never valid JSON. */
function isWhole(data: string): boolean {
  if (data.trim() === "[DONE]") return true;
  if (!data.startsWith("{")) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/** Writes one server-sent event as text. */
export function encodeSse(frame: ServerSentEvent): string {
  const { event, data } = frame;
  const name = event === undefined ? "" : `event: ${event}\n`;
  // JSON has no line breaks: nearly every frame is one line.
  if (!data.includes("\n") && !data.includes("\r")) return `${name}data: ${data}\n\n`;
  const lines = data.split(/\r\n|\r|\n/);
  return `${name}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

/**
 * Cuts a body of JSON objects into its objects: an array of them, one a line, or one directly after
 * another. What stands between objects (brackets, commas, white space) is skipped.
 */
class JsonSplitter implements Splitter {
  readonly #onFrame: OnFrame;
  readonly #maxEventBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #carry = new ByteBuffer();
  #depth = 0;
  #inString = false;
  #escaped = false;
  #position = 0;

  constructor(onFrame: OnFrame, maxEventBytes: number) {
    this.#onFrame = onFrame;
    this.#maxEventBytes = maxEventBytes;
  }

  push(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length;) at = this.#step(bytes, at);
    return bytes.length;
  }

  #step(bytes: Uint8Array, from: number): number {
    const start = this.#depth === 0 ? bytes.indexOf(openBrace, from) : from;
    if (start < 0) return bytes.length;
    this.#position = start;
    const end = this.#findEnd(bytes, start);
    const to = end < 0 ? bytes.length : end;
    const size = this.#carry.length + to - start;
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

  /** Returns the index after the object that is open at `from`, or -1 when it goes on. */
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
    if (carry.length > 0) {
      carry.append(bytes, from, to);
      whole = carry.bytes.subarray(0, carry.length);
      carry.clear();
    }
    this.#onFrame(this.#decoder.decode(whole), undefined);
  }
}

/** Collects the bytes of a value that is spread over chunks. It doubles when full, so an event of 50 MB is not copied once per chunk. */
class ByteBuffer {
  /** The bytes so far and room after them, valid until the next call. */
  bytes = noBytes;
  length = 0;

  append(more: Uint8Array, from: number, to: number): void {
    const needed = this.length + to - from;
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.max(smallest, needed * 2));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes.set(more.subarray(from, to), this.length);
    this.length = needed;
  }

  clear(): void {
    this.length = 0;
    if (this.bytes.length > keptWhenIdle) this.bytes = noBytes;
  }
}

const tooLarge = (maxBytes: number): MullError =>
  new MullError(
    `One event of the stream is larger than maxEventBytes (${maxBytes}). Raise maxEventBytes if such events are expected.`,
    { category: "protocol", code: "event_too_large" },
  );
