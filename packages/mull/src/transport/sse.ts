import type { ServerSentEvent } from "../types/http.ts";
import { createByteBuffer, tooLarge } from "./byte-buffer.ts";

export type OnFrame = (data: string, event: string | undefined) => void;

/**
 * Cuts a body into frames. `push` reads `bytes` from `from` and returns where it stopped, which is
 * before the end only when the rest is for another splitter.
 */
export interface Splitter {
  readonly push: (bytes: Uint8Array, from: number) => number;
  readonly end: () => void;
  /** Where in the bytes of the current `push` the frame being handed out was found. */
  readonly position: () => number;
}

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const colon = 58;
const openBrace = 123;

const ascii = (text: string): readonly number[] => Array.from(text, (c) => c.charCodeAt(0));
const dataField = ascii("data");
const eventField = ascii("event");

/**
 * Reads server-sent events as the standard says, with two tolerances: a last event without its
 * blank line counts when its data is whole, and a line that begins with `{`, which the standard
 * ignores, ends the events: it is a bare JSON error.
 */
export function createSseSplitter(onFrame: OnFrame, maxEventBytes: number): Splitter {
  // A byte order mark inside the data belongs to the data.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const carry = createByteBuffer(maxEventBytes);
  const eventName = createNameCache(decoder);
  let afterCarriageReturn = false;
  let data: string | undefined;
  let dataBytes = 0;
  let event: string | undefined;
  let position = 0;

  const dispatch = (): void => {
    const frame = data;
    const name = event;
    data = undefined;
    event = undefined;
    dataBytes = 0;
    if (frame !== undefined) onFrame(frame, name);
  };

  const readData = (bytes: Uint8Array, from: number, to: number): void => {
    dataBytes += to - from + 1;
    if (dataBytes > maxEventBytes) throw tooLarge(maxEventBytes);
    const text = from === to ? "" : decoder.decode(bytes.subarray(from, to));
    data = data === undefined ? text : `${data}\n${text}`;
  };

  const readLine = (bytes: Uint8Array, from: number, to: number): void => {
    if (from === to) return dispatch();
    let value = valueOf(bytes, from, to, dataField);
    if (value >= 0) return readData(bytes, value, to);
    value = valueOf(bytes, from, to, eventField);
    if (value >= 0) event = value === to ? undefined : eventName(bytes, value, to);
  };

  const readCarried = (bytes: Uint8Array, from: number, to: number): void => {
    carry.append(bytes, from, to);
    const length = carry.length();
    const line = carry.bytes();
    carry.clear();
    readLine(line, 0, length);
  };

  const push = (bytes: Uint8Array, from: number): number => {
    const size = bytes.length;
    let start = from;
    if (afterCarriageReturn && start < size) {
      afterCarriageReturn = false;
      if (bytes[start] === lineFeed) start++;
    }
    // Searched again only once passed: a body without one of the two costs one search a chunk.
    let nextLf = find(bytes, lineFeed, start);
    let nextCr = find(bytes, carriageReturn, start);
    while (start < size) {
      if (nextLf < start) nextLf = find(bytes, lineFeed, start);
      if (nextCr < start) nextCr = find(bytes, carriageReturn, start);
      const end = nextLf < nextCr ? nextLf : nextCr;
      const isCarried = carry.length() > 0;
      position = start;
      if (!isCarried && bytes[start] === openBrace) {
        dispatch();
        return start;
      }
      if (end === size) {
        carry.append(bytes, start, size);
        return size;
      }
      if (isCarried) readCarried(bytes, start, end);
      else readLine(bytes, start, end);
      start = end + 1;
      if (end === nextCr) {
        if (start === size) afterCarriageReturn = true;
        else if (bytes[start] === lineFeed) start++;
      }
    }
    return size;
  };

  const end = (): void => {
    if (carry.length() > 0) readCarried(noBytes, 0, 0);
    if (data !== undefined && isWhole(data)) dispatch();
  };

  return { push, end, position: () => position };
}

const noBytes = new Uint8Array(0);

const find = (bytes: Uint8Array, byte: number, from: number): number => {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
};

/** Where the value of `field` begins on this line; negative when the line has another field. */
function valueOf(bytes: Uint8Array, from: number, to: number, field: readonly number[]): number {
  const after = from + field.length;
  if (after > to) return -1;
  for (let i = 0; i < field.length; i++) if (bytes[from + i] !== field[i]) return -1;
  if (after === to) return to;
  if (bytes[after] !== colon) return -1;
  return after + 1 < to && bytes[after + 1] === space ? after + 2 : after + 1;
}

/** Most events of a stream have the name of the event before them: compare, do not decode. */
function createNameCache(
  decoder: TextDecoder,
): (bytes: Uint8Array, from: number, to: number) => string {
  let known = noBytes;
  let name = "";
  return (bytes, from, to) => {
    if (isSame(bytes, from, to, known)) return name;
    known = bytes.slice(from, to);
    name = decoder.decode(known);
    return name;
  };
}

function isSame(bytes: Uint8Array, from: number, to: number, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let i = 0; i < other.length; i++) if (bytes[from + i] !== other[i]) return false;
  return true;
}

/** A cut JSON object is never valid JSON, so a cut event cannot pass for a whole one. */
function isWhole(data: string): boolean {
  if (data === "[DONE]") return true;
  if (!data.startsWith("{")) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/** Writes one event as services do. */
export function encodeSse(frame: ServerSentEvent): string {
  const name = frame.event === undefined ? "" : `event: ${frame.event}\n`;
  const lines = frame.data.split(/\r\n|\r|\n/);
  return `${name}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}
