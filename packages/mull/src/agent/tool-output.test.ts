import { describe, expect, test } from "vitest";
import { toOutput } from "./tool-output.ts";

const limit = 262_144;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe("F-K3 a result that is too large", () => {
  test("10 MB: head and tail stay, the note names both sizes, the bound holds", () => {
    const text = `begin${"x".repeat(10_000_000)}end`;
    const output = toOutput(text, limit) as string;
    expect(bytes(output)).toBeLessThanOrEqual(limit);
    expect(output.startsWith("begin")).toBe(true);
    expect(output.endsWith("end")).toBe(true);
    const note =
      /\[… (\d+) of 10000008 bytes left out: the result was larger than 262144 bytes …\]/;
    expect(output).toMatch(note);
  });

  test.each(["😀", "é", "a😀", "日本", "\uFEFF"])("characters stay whole: %s", (character) => {
    for (const most of [201, 300, 301, 302, 303, 999]) {
      const output = toOutput(character.repeat(2000), most) as string;
      expect(output).not.toMatch(/\p{Surrogate}/u);
      expect(output).not.toContain("\uFFFD");
      expect(bytes(output)).toBeLessThanOrEqual(most);
    }
  });

  test("dense text at one end does not break the bound", () => {
    const output = toOutput("😀".repeat(100_000) + "a".repeat(600_000), limit) as string;
    expect(bytes(output)).toBeLessThanOrEqual(limit);
  });

  test("texts in a list of parts are bounded together", () => {
    const output = toOutput(
      [
        { type: "text", text: "a".repeat(900) },
        { type: "text", text: "b".repeat(900) },
      ],
      1000,
    );
    expect(bytes(JSON.stringify(output))).toBeLessThan(1400);
  });
});

function add(): void {}

class Point {
  readonly x = 1;
}

describe("F-K4 what a tool may return", () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic["self"] = cyclic;
  const twice = { same: [cyclic["a"], { x: 1 }] };
  const shared = { x: 1 };
  const table: readonly (readonly [string, unknown, string])[] = [
    ["text", "as it is", "as it is"],
    ["undefined", undefined, "(no result)"],
    ["null", null, "null"],
    ["a number", 4.5, "4.5"],
    ["NaN", Number.NaN, "null"],
    ["a bigint", 12n, '"12"'],
    ["a function", add, '"[function add]"'],
    ["a symbol", Symbol("s"), '"Symbol(s)"'],
    ["a cycle", cyclic, '{"a":1,"self":"[cycle]"}'],
    ["no cycle", [shared, shared, twice], '[{"x":1},{"x":1},{"same":[1,{"x":1}]}]'],
    ["a Map", new Map([["a", 1n]]), '{"a":"1"}'],
    ["a Set", new Set([1, 2]), "[1,2]"],
    ["an Error", new Error("no"), '{"error":"no"}'],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["an instance", new Point(), '{"x":1}'],
    ["an empty list", [], "[]"],
  ];
  test.each(table)("%s", (_, value, expected) => {
    expect(toOutput(value, limit)).toBe(expected);
  });

  test("a list of parts goes on as parts, without what hangs on them", () => {
    const image = {
      type: "file",
      mediaType: "image/png",
      source: { type: "base64", data: "AA==" },
      handle: () => 1,
    };
    const output = toOutput([{ type: "text", text: "see", self: cyclic }, image], limit);
    expect(output).toEqual([
      { type: "text", text: "see" },
      { type: "file", mediaType: "image/png", source: { type: "base64", data: "AA==" } },
    ]);
  });

  test("a list that only looks like parts is JSON", () => {
    const wrong = [{ type: "file", mediaType: "image/png", source: { type: "base64" } }];
    expect(toOutput(wrong, limit)).toBe(JSON.stringify(wrong));
    expect(toOutput([{ type: "text" }], limit)).toBe('[{"type":"text"}]');
  });
});
