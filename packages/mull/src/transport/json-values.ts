import { createByteBuffer } from "./byte-buffer.ts";
import type { OnFrame, Splitter } from "./sse.ts";

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
export function createJsonSplitter(onFrame: OnFrame, maxEventBytes: number): Splitter {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const carry = createByteBuffer(maxEventBytes);
  let depth = 0;
  let inString = false;
  let escaped = false;
  let position = 0;

  /** Returns the index behind the object that is open at `from`, or -1 when it goes on. */
  const findEnd = (bytes: Uint8Array, from: number): number => {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      if (escaped) escaped = false;
      else if (inString) {
        if (byte === quote) inString = false;
        else if (byte === backslash) escaped = true;
      } else if (byte === quote) inString = true;
      else if (byte === openBrace || byte === openBracket) depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return i + 1;
    }
    return -1;
  };

  const emit = (bytes: Uint8Array, from: number, to: number): void => {
    if (carry.length() === 0 && to - from <= maxEventBytes) {
      onFrame(decoder.decode(bytes.subarray(from, to)), undefined);
      return;
    }
    carry.append(bytes, from, to);
    const text = decoder.decode(carry.bytes().subarray(0, carry.length()));
    carry.clear();
    onFrame(text, undefined);
  };

  const step = (bytes: Uint8Array, from: number): number => {
    const start = depth === 0 ? bytes.indexOf(openBrace, from) : from;
    if (start < 0) return bytes.length;
    const end = findEnd(bytes, start);
    if (end < 0) {
      carry.append(bytes, start, bytes.length);
      return bytes.length;
    }
    position = start;
    emit(bytes, start, end);
    return end;
  };

  return { step, end: carry.clear, position: () => position };
}
