import { expect, test } from "vitest";
import { jsonPieces } from "./long-json.ts";

const list = Array.from({ length: 1001 }, (_, nth) => ({ nth, text: `"${nth}"`, none: undefined }));

test.each([
  ["nothing", {}],
  ["fields that are not there", { a: undefined, b: null, c: { d: undefined } }],
  ["short lists", { a: [], b: [1, undefined, "\u2028"], c: { d: [[]] } }],
  ["a long list among others", { a: 1, list, z: "z" }],
  ["a long list further in", { history: { version: 1, entries: list }, 'q"': true }],
  ["a long list too far in to be cut", { a: { b: { c: { d: { list } } } } }],
  ["what writes itself", { at: new Date(0) }],
])("F-W17: %s are written as in one go", (_, value) => {
  expect([...jsonPieces(value, 3)].join("")).toBe(JSON.stringify(value));
});

test("F-W17: a long list is written in pieces of a few hundred values", () => {
  const pieces = [...jsonPieces({ history: { entries: list } }, 3)];
  expect(pieces).toHaveLength(7);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(
    JSON.stringify(list).length / 4,
  );
});
