import * as fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingObject } from "./growing-object.ts";

const read = (...pieces: readonly string[]): unknown => {
  const growing = new GrowingObject();
  pieces.forEach((piece) => growing.push(piece));
  return growing.value;
};

const json = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));

test("R433 however JSON is cut, what has come is what JSON.parse reads", () => {
  fc.assert(
    fc.property(json, fc.nat({ max: 4 }), fc.integer({ min: 1, max: 9 }), (value, indent, size) => {
      const text = JSON.stringify(value, null, indent);
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(read(...pieces)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['Sure:\n```json\n{"a": 1}\n``` and [2]', { a: 1 }],
  ['{"a": "\\u00e4\\n\\"x', { a: 'ä\n"x' }],
  ['{"a": tru', {}],
  ['{"a": tru, "b": 1}', {}],
  ['{"a": [1, 2', { a: [1] }],
  ['{"a" 1}', {}],
  ['{"a": toString, "b": 1}', {}],
  ['{"a": , "b": 1}', {}],
  ['{"a": [], "b": {} }]', { a: [], b: {} }],
  ["no JSON", undefined],
])("R433 %j grows to %j", (text, value) => {
  expect(read(...text.split(""))).toEqual(value);
});

test("R433 a word without an end is given up, however small its pieces are", () => {
  const growing = new GrowingObject();
  for (let at = 0; at < 100_000; at++) growing.push(at === 0 ? '{"a":1' : "11");
  growing.push(',"b":"c"}');
  expect(growing.value).toEqual({});
});

test("R433 a field called __proto__ stays a field", () => {
  const value = read('{"__proto__":{"a":"b"},"c":1}');
  expect(Object.keys(value as object)).toEqual(["__proto__", "c"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
