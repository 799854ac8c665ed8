import type { StreamEvent, WireId } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import { streamsOf, wireIds, type RecordedStream } from "./streams.ts";

function eventsOf(wire: WireId, body: Uint8Array, chunkSize?: number): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  readExchange({
    wire,
    body,
    stream: true,
    newId: () => "made-here",
    onEvent: (event) => events.push(event),
    ...(chunkSize !== undefined && { chunkSize }),
  });
  return events;
}

/** Line ends inside JSON strings are escaped: every one in the body is the framing's. */
const withLineEnds = ({ bytes }: RecordedStream, end: (line: number) => string): Uint8Array => {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  const text = lines.map((line, at) => (at === lines.length - 1 ? line : line + end(at))).join("");
  return new TextEncoder().encode(text);
};

const lineEnds: readonly (readonly [string, (line: number) => string])[] = [
  ["LF", () => "\n"],
  ["CRLF", () => "\r\n"],
  ["CR", () => "\r"],
  ["a mixture", (line) => ["\r\n", "\n", "\r"][Math.floor(line / 2) % 3]!],
];

describe.each(wireIds)("%s", (wire) => {
  const streams = streamsOf(wire);

  test.each([1, 2, 7, 64])(
    "F-S1 F-S3 F-G3 pieces of %i bytes give the same events",
    (chunkSize) => {
      for (const { bytes } of streams)
        expect(eventsOf(wire, bytes, chunkSize)).toEqual(eventsOf(wire, bytes));
    },
  );

  test.each(lineEnds)("F-S2 F-G3 %s between lines gives the same events", (_, end) => {
    for (const stream of streams) {
      const events = eventsOf(wire, stream.bytes);
      const rewritten = withLineEnds(stream, end);
      expect(eventsOf(wire, rewritten)).toEqual(events);
      expect(eventsOf(wire, rewritten, 1)).toEqual(events);
    }
  });
});
