import type { ServerSentEvent } from "../types/http.ts";
import { ByteBuffer, defaultMaxEventBytes, noBytes, slice, tooLarge } from "./byte-buffer.ts";

export type OnFrame = (data: string, event: string | undefined) => void;

/**
 * Who takes the frames. An object, so that its class can have the method: V8 compiles a call of a
 * function made for every stream anew with every stream.
 */
export interface FrameSink {
  readonly onFrame: OnFrame;
}

/** Cuts a body into frames, a step at a time, so that the first of many is handed out at once. */
export interface Splitter {
  /**
   * Reads a step of `bytes` from `from` and returns where it stopped. No step forward means that the
   * rest is for another splitter.
   */
  readonly step: (bytes: Uint8Array, from: number) => number;
  readonly end: () => void;
  /** Where in the bytes of the current `push` the frame being handed out was found. */
  readonly position: () => number;
}

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const colon = 58;
const openBrace = 123;

/**
 * Bytes decoded at once. One character outside ASCII slows the decoder sixfold for the rest of the
 * slice and may double the size of every event in it; fewer bytes would make the calls themselves dear.
 */
const sliceBytes = 512;
/** So few bytes are decoded at once all the same: a call each for a line or two would cost more. */
const smallChunk = 2048;

/**
 * Reads server-sent events as the standard says, with three tolerances: a last event without its
 * blank line counts when its data is whole; a line that begins with `{`, which the standard
 * ignores, ends the events: it is a bare JSON error; and a field `error`, as gpustack sends it, is
 * an event of that name.
 */
export class SseSplitter implements Splitter {
  readonly #sink: FrameSink;
  readonly #maxEventBytes: number;
  // A byte order mark inside the data belongs to the data.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #carry = new ByteBuffer();
  #afterCarriageReturn = false;
  #data: string | undefined;
  #event: string | undefined;
  #source = noBytes;
  #sourceStart = 0;
  /** How far `source` is ahead of the bytes being pushed. */
  #shift = 0;
  #text = "";
  #lineStart = 0;

  constructor(sink: FrameSink, maxEventBytes: number = defaultMaxEventBytes) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
  }

  step(bytes: Uint8Array, from: number): number {
    const size = bytes.length;
    const carry = this.#carry;
    const isRestOfLineEnd = this.#afterCarriageReturn && bytes[from] === lineFeed;
    this.#afterCarriageReturn = false;
    if (isRestOfLineEnd) return from + 1;
    if (carry.length() === 0 && bytes[from] === openBrace) {
      this.#dispatch();
      return from;
    }
    const end = sliceEnd(bytes, from);
    if (end > from) {
      if (this.#readSlice(bytes, from, end)) return this.position();
      const hasMore = size - from > smallChunk || bytes[end] === openBrace;
      if (end < size && hasMore) return end;
    }
    if (end < size) carry.append(bytes, end, size);
    if (carry.length() > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
    this.#afterCarriageReturn = bytes[size - 1] === carriageReturn;
    // A silent stream holds on to nothing but its unfinished line.
    this.#source = noBytes;
    this.#text = "";
    return size;
  }

  end(): void {
    const carry = this.#carry;
    this.#readLines(carry.bytes(), 0, carry.length());
    carry.clear();
    if (this.#data !== undefined && isWhole(this.#data)) this.#dispatch();
  }

  /** Counts lines, not characters: bytes that are no UTF-8 have no length as text. */
  position(): number {
    const lines = this.#text.slice(0, this.#lineStart).match(/\r\n?|\n/g) ?? [];
    return lines.reduce((at) => lineEnd(this.#source, at), this.#sourceStart) - this.#shift;
  }

  #dispatch(): void {
    const frame = this.#data;
    const name = this.#event;
    this.#data = this.#event = undefined;
    if (frame !== undefined) this.#sink.onFrame(frame, name);
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
    this.#sink.onFrame(text.slice(value, to), "error");
  }

  /** Reads whole lines. Stops at a bare JSON object and says whether it did. */
  #readLines(bytes: Uint8Array, from: number, to: number): boolean {
    const text = this.#decoder.decode(slice(bytes, from, to));
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
      // Every third line is empty: no need to look for its end.
      if (code === lineFeed) {
        this.#dispatch();
        start++;
        continue;
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

  /** Reads the lines of a slice, the first of which may have begun in an earlier chunk. */
  #readSlice(bytes: Uint8Array, from: number, to: number): boolean {
    const carry = this.#carry;
    const carried = carry.length();
    this.#shift = 0;
    if (carried === 0) return this.#readLines(bytes, from, to);
    carry.append(bytes, from, to);
    this.#shift = carried - from;
    const isBare = this.#readLines(carry.bytes(), 0, carry.length());
    carry.clear();
    return isBare;
  }
}

/** Every step that `bytes` takes. Returns where the rest begins that is for another splitter. */
export function stepThrough(splitter: Splitter, bytes: Uint8Array, from: number): number {
  let at = from;
  for (let before = -1; before < at && at < bytes.length;) {
    before = at;
    at = splitter.step(bytes, at);
  }
  return at;
}

const isLineEnd = (byte: number | undefined): boolean =>
  byte === lineFeed || byte === carriageReturn;

/** Behind the first line end at or after `from`, or the end of the bytes. */
function lineEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isLineEnd(bytes[at])) at++;
  if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) at++;
  return Math.min(at + 1, bytes.length);
}

/** Where a slice of whole lines from `from` may end; `from` itself when no line ends any more. */
function sliceEnd(bytes: Uint8Array, from: number): number {
  const limit = bytes.length - from > smallChunk ? from + sliceBytes : bytes.length;
  let end = limit;
  while (end > from && !isLineEnd(bytes[end - 1])) end--;
  if (end === from) {
    end = limit < bytes.length ? lineEnd(bytes, limit) : from;
    if (end === bytes.length && !isLineEnd(bytes[end - 1])) return from;
  }
  return end < bytes.length && bytes[end - 1] === carriageReturn && bytes[end] === lineFeed
    ? end + 1
    : end;
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

/** A cut JSON object is never valid JSON, so a cut event cannot pass for a whole one. */
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
  const name = frame.event === undefined ? "" : `event: ${frame.event}\n`;
  const lines = frame.data.split(/\r\n|\r|\n/);
  return `${name}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}
