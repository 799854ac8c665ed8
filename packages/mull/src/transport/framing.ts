import { defaultMaxEventBytes } from "./byte-buffer.ts";
import { createJsonSplitter } from "./json-values.ts";
import { createSseSplitter, type OnFrame, type Splitter } from "./sse.ts";

export interface FramingOptions {
  /** Largest single event in bytes. Default 64 MiB. */
  readonly maxEventBytes?: number;
}

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
export function createFraming(onFrame: OnFrame, options: FramingOptions = {}): Framing {
  const maxEventBytes = options.maxEventBytes ?? defaultMaxEventBytes;
  let splitter: Splitter | undefined;
  let bomBytes = 0;
  let isIndented = false;
  let chunkStart = 0;
  let chunkLength = 0;

  const choose = (first: number): Splitter => {
    if (first === openBrace || first === openBracket) {
      return createJsonSplitter(onFrame, maxEventBytes);
    }
    const sse = createSseSplitter(onFrame, maxEventBytes);
    // An indented field is an unknown field: the splitter must see the indent.
    if (isIndented) sse.step(indent, 0);
    return sse;
  };

  const skipToContent = (bytes: Uint8Array): number => {
    let at = 0;
    while (bomBytes < 3 && at < bytes.length && bytes[at] === byteOrderMark[bomBytes]) {
      bomBytes++;
      at++;
    }
    if (at < bytes.length) bomBytes = 3;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 10 || byte === 13) isIndented = false;
      else if (byte === 9 || byte === space) isIndented = true;
      else break;
    }
    return at;
  };

  const step = (bytes: Uint8Array, from: number): number => {
    if (from === 0) {
      chunkStart += chunkLength;
      chunkLength = bytes.length;
    }
    let start = from;
    if (splitter === undefined) {
      start = skipToContent(bytes);
      const first = bytes[start];
      if (first === undefined) return start;
      splitter = choose(first);
    }
    const stop = splitter.step(bytes, start);
    if (stop > start) return stop;
    splitter = createJsonSplitter(onFrame, maxEventBytes);
    return splitter.step(bytes, start);
  };

  return {
    push: (bytes) => {
      for (let at = 0; at < bytes.length;) at = step(bytes, at);
    },
    step,
    end: () => splitter?.end(),
    offset: () => chunkStart + (splitter?.position() ?? 0),
  };
}

const indent = Uint8Array.of(space);
