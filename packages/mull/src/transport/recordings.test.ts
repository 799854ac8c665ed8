import { createParser } from "eventsource-parser";
import { expect, test } from "vitest";
import { readRecordings } from "../../../../test/recordings.ts";
import { createFraming } from "./framing.ts";

const bodies = readRecordings()
  .map(({ response }) => response.body_text)
  .filter((body) => /^\s*(?:data|event|:)/.test(body));

function framesOf(body: string, size: number): string[] {
  const frames: string[] = [];
  const framing = createFraming((data, event) => frames.push(`${event ?? ""}|${data}`));
  const bytes = new TextEncoder().encode(body);
  for (let at = 0; at < bytes.length; at += size) framing.push(bytes.subarray(at, at + size));
  framing.end();
  return frames;
}

function reference(body: string): string[] {
  const frames: string[] = [];
  const parser = createParser({
    onEvent: ({ data, event }) => frames.push(`${event ?? ""}|${data}`),
  });
  // Some recorders cut the blank line behind the last event.
  parser.feed(`${body}\n\n`);
  return frames;
}

const invented = ["data: a\n\n", ": hi\r\n\r\nevent: x\r\ndata: {}\r\n\r\ndata: [DONE]"];

test.each([1, 7, 64, 4096, 1 << 20])(
  "F-S1 F-S2: every recorded stream in chunks of %i bytes reads as eventsource-parser reads it",
  (size) => {
    for (const body of [...invented, ...bodies]) {
      expect(framesOf(body, size)).toEqual(reference(body));
    }
  },
);
