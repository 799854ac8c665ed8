import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../types/json.ts";
import type { HotDelta } from "../../types/wire.ts";
import { createHotReader } from "./hot-delta.ts";

/** Frames of these tests say what is new under `text`, inside `part`. */
const find = ({ part, once }: JsonObject): HotDelta<string> | undefined => {
  const text = isJsonObject(part) ? part["text"] : undefined;
  return typeof text === "string" && once === undefined
    ? { key: "text", text, to: "block" }
    : undefined;
};

/** What is read out of the last frame when the first ones were parsed. */
function read(...frames: readonly string[]): readonly [text: string, kept: string] | undefined {
  const reader = createHotReader(find, "count");
  for (const data of frames.slice(0, -1)) reader.learn(data, JSON.parse(data) as JsonObject);
  const data = frames.at(-1)!;
  const known = reader.read(data);
  return known && [known.text, data.slice(known.keptFrom, known.keptTo)];
}

const frame = (text: string, rest = ""): string =>
  `{"type":"delta","part":{"text":${JSON.stringify(text)}}${rest}}`;

const counted = (count: string): string => `{"count":${count},"part":{"text":"a"}}`;

describe("a frame like the one before it is cut, not parsed", () => {
  test.each([
    ["another text", frame("a"), frame('b"\n\\')],
    ["white space behind the colons", '{"part": {"text": "a"}}', '{"part": {"text": "b"}}'],
    ["spaces between the last braces", '{"part":{"text":"a"}}', '{"part":{"text":"b"}   }'],
    ["padding", frame("a", ',"obfuscation":"x","z":1'), frame("b", ',"obfuscation":"","z":1')],
    ["padding in front", '{"p":"","part":{"text":"a"}}', '{"p":"xy","part":{"text":"b"}}'],
  ])("%s", (_, first, next) => {
    const { part } = JSON.parse(next) as { readonly part: { readonly text: string } };
    expect(read(first, next)).toEqual([part.text, ""]);
  });

  test.each([
    ["a number", "7", "12"],
    ["an object", '{"a":[{"b":1}]}', '{"a":[],"c":2}'],
  ])("%s that is kept", (_, first, next) => {
    const behind = [first, next].map((count) => frame("a", `,"count":${count},"z":1`));
    expect(read(counted(first), counted(next))).toEqual(["a", next]);
    expect(read(...behind)).toEqual(["a", next]);
  });
});

describe("every other frame is left to the parser", () => {
  test.each([
    ["an empty text", frame("a"), frame("")],
    ["another head", frame("a"), frame("b").replace("delta", "other")],
    ["another tail", frame("a", ',"z":1'), frame("b", ',"z":2')],
    ["a field more", frame("a"), frame("b", ',"z":1')],
    ["a string that does not end", frame("a"), frame("b").slice(0, -3)],
    ["an escape that JSON does not know", frame("a"), '{"type":"delta","part":{"text":"\\x"}}'],
    ["a brace less", frame("a"), frame("b").slice(0, -1)],
    ["padding that does not end", frame("a", ',"p":"x"'), frame("b", ',"p":"x').slice(0, -1)],
    ["padding with a broken escape", frame("a", ',"p":"x"'), frame("b", ',"p":"\\x"')],
    ["a number with a leading zero", counted("7"), counted("07")],
    ["a number that is none", counted("7"), counted("x")],
    ["a number beyond what is exact", counted("7"), counted("1234567890123456")],
    ["an object that does not end", counted("{}"), '{"count":{"part":{"text":"a"}}'],
    ["nothing", frame("a"), ""],
  ])("%s", (_, first, next) => {
    expect(read(first, next)).toBeUndefined();
  });

  test.each([
    ["says nothing that is known", '{"type":"ping"}'],
    ["says something once", frame("a", ',"once":1')],
    ["has the key twice", '{"part":{"text":"a","text":"b"}}'],
    ["has the key elsewhere first", '{"text":"a","part":{"text":"a"}}'],
    ["has an escaped key", '{"part":{"te\\u0078t":"a"}}'],
    ["has blanks before the colon", '{"part":{"text" :"a"}}'],
    ["has another value under the key first", '{"text":1,"part":{"text":"a"}}'],
  ])("behind a frame that %s", (_, data) => {
    expect(read(data, data)).toBeUndefined();
    expect(read(frame("a"), data, frame("b"))).toBeUndefined();
  });

  test("a value that is kept must be a number or an object: others belong to the pattern", () => {
    expect(read(counted("null"), counted("null"))).toEqual(["a", ""]);
    expect(read(counted('"7"'), counted('"8"'))).toBeUndefined();
  });

  test("learning stops where it does not pay, and goes on where it does", () => {
    const reader = createHotReader(find);
    const frames = Array.from({ length: 9 }, (_, at) => frame("a", `,"at":${at}`));
    const learn = (data: string): void => reader.learn(data, JSON.parse(data) as JsonObject);
    for (const data of frames.slice(0, 3)) learn(data);
    for (let at = 0; at < 20; at++) expect(reader.read(frames.at(2) ?? "")?.text).toBe("a");
    for (const data of frames.slice(3, 7)) learn(data);
    expect(reader.read(frames.at(6) ?? "")?.text).toBe("a");
    for (const data of frames) learn(data);
    expect(reader.read(frames.at(8) ?? "")).toBeUndefined();
  });
});
