import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFraming } from "./framing.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function framesOf(text: string, size = 1 << 20): string[] {
  const frames: string[] = [];
  const framing = createFraming((data) => frames.push(data));
  const bytes = encode(text);
  for (let at = 0; at < bytes.length; at += size) framing.push(bytes.slice(at, at + size));
  framing.end();
  return frames;
}

function thrownBy(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const objects = fc.array(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()));
const tricky = { text: '}{][",\\"\\', nested: [[{ a: "]}" }]] };

describe("F-S15: JSON arrays, lines and bare errors", () => {
  test("objects come out the same from an array, from lines, pretty or not, in any chunking", () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 70 }), fc.nat(2), (values, size, indent) => {
        const all = [...values, tricky];
        const bodies = [
          JSON.stringify(all, null, indent),
          all.map((value) => `${JSON.stringify(value)}\n`).join(""),
          all.map((value) => JSON.stringify(value, null, indent)).join("\r\n"),
        ];
        for (const body of bodies) {
          expect(framesOf(body, size).map((frame) => JSON.parse(frame) as unknown)).toEqual(
            JSON.parse(JSON.stringify(all)),
          );
        }
      }),
    );
  });

  test("a body cut anywhere gives only whole objects", () => {
    const body = JSON.stringify([tricky, { b: "é🧠" }, tricky], null, 1);
    for (let end = 0; end <= body.length; end++) {
      const frames = framesOf(body.slice(0, end), 7);
      expect(() => frames.map((frame) => JSON.parse(frame) as unknown)).not.toThrow();
    }
  });

  test("a bare error behind events is a frame, whole or in single bytes", () => {
    const error = '{\n  "error": {\n    "code": 503,\n    "message": "}\\"{"\n  }\n}';
    for (const tail of ["", "\n", "\r\n\r\n"]) {
      for (const size of [1, 3, 4096]) {
        expect(framesOf(`data: {"a":1}\r\n\r\n${error}${tail}`, size)).toEqual(['{"a":1}', error]);
      }
    }
  });

  test("an event without its blank line comes before the bare error behind it", () => {
    expect(framesOf('data: 1\n{"error":{}}')).toEqual(["1", '{"error":{}}']);
  });

  test("a byte order mark and white space come before anything", () => {
    expect(framesOf('\uFEFF \r\n[{"a":1}]', 1)).toEqual(['{"a":1}']);
    expect(framesOf("", 1)).toEqual([]);
    expect(framesOf("\uFEFF \n", 1)).toEqual([]);
  });
});

test("a framing's functions work on their own, and can be handed on", () => {
  const frames: string[] = [];
  const { push, end, offset } = createFraming((data) => frames.push(data));
  [encode("data: 1\n\nda"), encode("ta: 2\n\n"), encode("data: 3")].forEach(push);
  end();
  expect(frames).toEqual(["1", "2"]);
  expect(offset()).toBeGreaterThan(0);
});

describe("F-S5 F-S6: large events", () => {
  test("F-S5: an event of 50 MB in network chunks is one frame, and copied a bounded number of times", () => {
    const lengths: number[] = [];
    const framing = createFraming((data) => lengths.push(data.length));
    const piece = encode("x".repeat(64 * 1024));
    framing.push(encode("data: "));
    for (let i = 0; i < 800; i++) framing.push(piece);
    framing.push(encode("\n\ndata: small\n\n"));
    expect(lengths).toEqual([800 * 64 * 1024, 5]);
  });

  test.each([
    ["one line", "data: ", "xxxxxxxx"],
    ["many lines", "data: x\n", "data: xxxxxxxx\n"],
    ["a comment", ":", "xxxxxxxx"],
    ["a JSON object", '{"a":"', "xxxxxxxx"],
    ["a JSON array element", '[{"a":', "[[[[[[[["],
  ])("F-S6: %s that never ends stops at the limit and names the option", (_kind, head, more) => {
    const framing = createFraming(() => undefined, { maxEventBytes: 1024 * 1024 });
    const piece = encode(more.repeat(1000));
    const endless = (): void => {
      framing.push(encode(head));
      for (let sent = 0; sent < 3 * 1024 * 1024; sent += piece.length) framing.push(piece);
    };
    expect(endless).toThrow(/maxEventBytes \(1048576\)/);
    expect(thrownBy(endless)).toMatchObject({
      isMullError: true,
      category: "protocol",
      code: "event_too_large",
    });
  });

  test("F-S6: the limit also holds for an event that comes in one chunk", () => {
    for (const body of [`data: ${"x".repeat(100)}\n\n`, `{"a":"${"x".repeat(100)}"}`]) {
      const framing = createFraming(() => undefined, { maxEventBytes: 64 });
      expect(() => framing.push(encode(body))).toThrow(/maxEventBytes \(64\)/);
    }
  });
});
