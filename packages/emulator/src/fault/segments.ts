import type { Clock } from "../world/clock.ts";
import type { Fault } from "./fault.ts";

/** A body being sent: bytes, pauses, and how it ends when it is cut. */
export type Segment =
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "wait"; readonly ms: number }
  /** The connection breaks: the reader sees an error. */
  | { readonly type: "break" }
  /** The body ends here as if it were whole. */
  | { readonly type: "end" }
  /** Nothing more comes and the connection stays open. */
  | { readonly type: "hang" };

const encoder = new TextEncoder();

export const bytesOf = (text: string): Segment => ({ type: "bytes", bytes: encoder.encode(text) });

const cutAfter = (
  segments: readonly Segment[],
  limit: number,
  ending: "break" | "end",
): readonly Segment[] => {
  const kept: Segment[] = [];
  let room = limit;
  for (const segment of segments) {
    if (segment.type !== "bytes") {
      kept.push(segment);
      continue;
    }
    if (segment.bytes.length > room) {
      kept.push({ type: "bytes", bytes: segment.bytes.subarray(0, room) }, { type: ending });
      return kept;
    }
    kept.push(segment);
    room -= segment.bytes.length;
  }
  return [...kept, { type: ending }];
};

/** The position after this many pieces of bytes. */
const behind = (segments: readonly Segment[], events: number): number => {
  let seen = 0;
  for (const [i, segment] of segments.entries()) {
    if (seen === events) return i;
    if (segment.type === "bytes") seen += 1;
  }
  return segments.length;
};

const garble = (bytes: Uint8Array): Uint8Array => {
  const close = bytes.lastIndexOf(0x7d);
  return close === -1 ? bytes : bytes.map((byte, i) => (i === close ? 0x2c : byte));
};

/** Cuts inside the last character that takes more than one byte. Without one, it adds the first byte of such a character. */
const cutInCharacter = (segments: readonly Segment[]): readonly Segment[] => {
  for (let i = segments.length - 1; i >= 0; i -= 1) {
    const segment = segments[i] as Segment;
    const at = segment.type === "bytes" ? segment.bytes.findLastIndex((byte) => byte >= 0xc0) : -1;
    if (segment.type !== "bytes" || at === -1) continue;
    const bytes = segment.bytes.subarray(0, at + 1);
    return [...segments.slice(0, i), { type: "bytes", bytes }, { type: "end" }];
  }
  const half = behind(segments, Math.max(1, Math.floor(segments.length / 2)));
  return [
    ...segments.slice(0, half),
    { type: "bytes", bytes: Uint8Array.of(0xe2) },
    { type: "end" },
  ];
};

/** What a fault does to the bytes of a body. Faults about status, latency, parts and events come before. */
export const applyFault = (
  segments: readonly Segment[],
  fault: Fault,
  errorEvent: (fault: Fault & { type: "error" }) => string,
): readonly Segment[] => {
  switch (fault.type) {
    case "pace":
      return segments.flatMap((segment): readonly Segment[] =>
        segment.type === "bytes" ? [{ type: "wait", ms: fault.ms }, segment] : [segment],
      );
    case "cut":
      return cutAfter(segments, fault.bytes, "break");
    case "end":
      return cutAfter(segments, fault.bytes, "end");
    case "error":
      return [
        ...segments.slice(0, behind(segments, fault.events)),
        bytesOf(errorEvent(fault)),
        { type: "end" },
      ];
    case "malformed": {
      const at = behind(segments, fault.event);
      return segments.map((segment, i) =>
        segment.type === "bytes" && (i === at || segments.length <= fault.event)
          ? { type: "bytes", bytes: garble(segment.bytes) }
          : segment,
      );
    }
    case "utf8":
      return cutInCharacter(segments);
    case "silence":
      return [...segments.slice(0, behind(segments, fault.events)), { type: "hang" }];
    case "empty":
      return [];
    case "latency":
    case "status":
    case "cut-block":
    case "duplicate":
    case "giant":
    case "html":
      return segments;
    default:
      return fault satisfies never;
  }
};

/** Plays a body, one segment whenever the reader asks for more. */
export const playSegments = (
  segments: Iterable<Segment>,
  clock: Clock,
  signal: AbortSignal,
): ReadableStream<Uint8Array> => {
  const left = segments[Symbol.iterator]();
  const cancelled = new AbortController();
  const stop = AbortSignal.any([signal, cancelled.signal]);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        for (;;) {
          if (signal.aborted) {
            controller.error(signal.reason);
            return;
          }
          const next = left.next();
          if (next.done === true || next.value.type === "end") {
            controller.close();
            return;
          }
          const segment = next.value;
          if (segment.type === "bytes") {
            controller.enqueue(segment.bytes);
            return;
          }
          if (segment.type === "break") {
            controller.error(new TypeError("terminated"));
            return;
          }
          await (segment.type === "wait" ? clock.sleep(segment.ms, stop) : untilAborted(stop));
          if (cancelled.signal.aborted) return;
        }
      },
      cancel: () => {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
