import { createParser } from "eventsource-parser";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { createFraming, encodeSse } from "./framing.ts";

type Frame = readonly [data: string, event: string | undefined];

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return chunks;
}

function framesOf(text: string | Uint8Array, sizes: readonly number[] = [1 << 20]): Frame[] {
  const frames: Frame[] = [];
  const framing = createFraming((data, event) => frames.push([data, event]));
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (const chunk of cut(bytes, sizes)) framing.push(chunk);
  framing.end();
  return frames;
}

function reference(text: string): Frame[] {
  const frames: Frame[] = [];
  const parser = createParser({ onEvent: ({ data, event }) => frames.push([data, event]) });
  parser.feed(text);
  return frames;
}

const field = fc.constantFrom(
  "data",
  "data:",
  "data: ",
  "data:  ",
  "event: ",
  "event:",
  "event",
  "id: ",
  "retry: 10",
  ": ",
  "dat: ",
  "data : ",
  "datax: ",
  " data: ",
  "",
);
const value = fc.oneof(
  fc.constantFrom("", "x", "é€😀", '{"a":"\\n"}', "message_start", "\uFEFF", " y "),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll(/[\r\n]/g, "")),
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.tuple(field, value, lineEnd);
const blank = lineEnd.map((end) => ["", "", end] as const);
const body = fc
  .array(fc.oneof({ weight: 3, arbitrary: line }, { weight: 1, arbitrary: blank }), {
    maxLength: 30,
  })
  .map((lines) => `: start\n${lines.map((parts) => parts.join("")).join("")}\n\n`)
  // A line that begins with a brace is a bare error here and an unknown field there.
  .filter((text) => !/^\{/m.test(text.replaceAll("\r", "\n")));

describe("F-S1 F-S2 F-S3 F-S4: server-sent events", () => {
  test("F-S1 F-S2: any body in any chunking reads as eventsource-parser reads it whole", () => {
    fc.assert(
      fc.property(
        body,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (text, sizes) => {
          expect(framesOf(text, sizes)).toEqual(reference(text));
        },
      ),
      { numRuns: runs(2000), seed: 20_261_115 },
    );
  });

  test.each<[string, string, Frame[]]>([
    ["a byte order mark", "\uFEFFdata: a\n\n", [["a", undefined]]],
    ["comments", ": hello\ndata: a\n:\n\n", [["a", undefined]]],
    ["several data lines", "data: a\ndata:\ndata:b\n\n", [["a\n\nb", undefined]]],
    ["empty data", "data:\n\n", [["", undefined]]],
    ["a field without colon", "data\n\n", [["", undefined]]],
    ["an event name without data", "event: ping\n\ndata: a\n\n", [["a", undefined]]],
    [
      "an event name",
      "event: x\ndata: a\n\ndata: b\n\n",
      [
        ["a", "x"],
        ["b", undefined],
      ],
    ],
    ["a changed event name", "event: x\nevent: yy\ndata: a\n\n", [["a", "yy"]]],
    ["an emptied event name", "event: x\nevent\ndata: a\n\n", [["a", undefined]]],
    ["unknown fields", "id: 1\nretry: 5\ndatax: n\ndata: a\n\n", [["a", undefined]]],
    ["only one space is taken off", "data:  a\n\n", [[" a", undefined]]],
    ["an indented first line", "  data: a\n\ndata: b\n\n", [["b", undefined]]],
    ["blank lines first", "\r\n\n\rdata: b\n\n", [["b", undefined]]],
    [
      "carriage returns only",
      "data: a\rdata: b\r\rdata: c\r\r",
      [
        ["a\nb", undefined],
        ["c", undefined],
      ],
    ],
  ])("F-S4: %s", (_name, text, expected) => {
    for (const size of [1, 2, 3, 64]) expect(framesOf(text, [size])).toEqual(expected);
  });

  test("F-S3: a character cut by chunks is whole", () => {
    expect(framesOf("data: 🧠é€\n\n", [1])).toEqual([["🧠é€", undefined]]);
  });

  test("F-S3: a body cut inside a character gives no frame of it", () => {
    const bytes = new TextEncoder().encode('data: {"a":"🧠');
    expect(framesOf(bytes.slice(0, -2))).toEqual([]);
  });

  test("an event is out as soon as its blank line is, even if that line ends in CR", () => {
    const frames: string[] = [];
    const framing = createFraming((data) => frames.push(data));
    framing.push(new TextEncoder().encode("data: a\r\r"));
    expect(frames).toEqual(["a"]);
    framing.push(new TextEncoder().encode("\ndata: b\r\n\r"));
    expect(frames).toEqual(["a", "b"]);
  });

  test.each<[string, Frame[]]>([
    ['error: {"code":500}\n\n', [['{"code":500}', "error"]]],
    [
      'data: {"a":1}\nerror: {"code":500}\ndata: [DONE]\n\n',
      [
        ['{"a":1}', undefined],
        ['{"code":500}', "error"],
        ["[DONE]", undefined],
      ],
    ],
    ['error: {"code":500}', [['{"code":500}', "error"]]],
    ["errors: 7\nerroneous\n\n", []],
  ])("a field named error is an event of that name: %j", (text, expected) => {
    expect(framesOf(text)).toEqual(expected);
  });

  test.each<[string, Frame[]]>([
    ['event: e\ndata: {"a":1}\n', [['{"a":1}', "e"]]],
    ['data: {"a":1}', [['{"a":1}', undefined]]],
    ["data: [DONE]", [["[DONE]", undefined]]],
    ["data:   [DONE]  ", [["  [DONE]  ", undefined]]],
    ['data: {"a":1', []],
    ["data: [DON", []],
    ['data: {"a":\ndata: 1}', [['{"a":\n1}', undefined]]],
  ])("F-N4: at the end of the body, %j counts only when it is whole", (text, expected) => {
    expect(framesOf(text)).toEqual(expected);
  });
});

describe("encodeSse", () => {
  test("is read back as it was, line breaks included", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            data: fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\r", "\n")),
            event: fc.option(fc.stringMatching(/^[a-z_.]{1,9}$/), { nil: undefined }),
          }),
        ),
        (frames) => {
          const text = frames
            .map(({ data, event }) => encodeSse(event === undefined ? { data } : { data, event }))
            .join("");
          expect(framesOf(text, [5])).toEqual(frames.map(({ data, event }) => [data, event]));
        },
      ),
    );
  });
});
