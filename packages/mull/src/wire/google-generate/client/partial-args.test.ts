import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../types/json.ts";
import { PartialArgs } from "./part-builder.ts";
import { chunk, partsOf, stop } from "../testing/stream.ts";

function build(...pieces: readonly JsonValue[]): unknown {
  const args = new PartialArgs({});
  const problems = pieces.flatMap((piece) => args.add(piece) ?? []);
  return problems.length > 0 ? problems : args.value();
}

const callPiece = (functionCall: unknown): unknown => ({ functionCall });

describe("arguments that Vertex streams by path", () => {
  test("R154: values of every kind, in objects and lists", () => {
    expect(
      build(
        { jsonPath: "$.a.b[0]", stringValue: "x", willContinue: true },
        { jsonPath: "$.a.b[0]", stringValue: "y" },
        { jsonPath: "$.a.b[1].c", numberValue: 0 },
        { jsonPath: '$[\'a b\']["c\\"d"]', boolValue: false },
        { jsonPath: "$.n", nullValue: "NULL_VALUE" },
        { jsonPath: "$.empty" },
      ),
    ).toEqual({ a: { b: ["xy", { c: 0 }] }, "a b": { 'c"d': false }, n: null });
  });

  test("R154: a string goes on only where it was said to", () => {
    const first = { jsonPath: "$.a", stringValue: "x" };
    expect(build(first, { jsonPath: "$.a", stringValue: "y" })).toEqual({ a: "y" });
    expect(
      build({ ...first, willContinue: true }, { jsonPath: "$.b", stringValue: "z" }, { ...first }),
    ).toEqual({ a: "x", b: "z" });
  });

  test.each([
    ["no object", 7],
    ["no path", { stringValue: "x" }],
    ["a path from elsewhere", { jsonPath: "a.b", stringValue: "x" }],
    ["the root", { jsonPath: "$", stringValue: "x" }],
    ["a broken path", { jsonPath: "$.a[", stringValue: "x" }],
    ["a list at the root", { jsonPath: "$[0]", stringValue: "x" }],
    ["a gap", { jsonPath: "$.a[4000000000]", stringValue: "x" }],
    ["a path without end", { jsonPath: `$${".a".repeat(600)}`, stringValue: "x" }],
  ])("F-S20: %s is a problem", (_, piece) => {
    expect(build(piece)).toEqual([expect.stringContaining("a partial argument")]);
  });

  test("F-S20: a value is not an object, an object no list", () => {
    const first = { jsonPath: "$.a", stringValue: "x" };
    const misfit = ["a partial argument does not fit the ones before it"];
    expect(build(first, { jsonPath: "$.a.b", stringValue: "x" })).toEqual(misfit);
    const nested = { jsonPath: "$.a.b", stringValue: "x" };
    expect(build(nested, { jsonPath: "$.a[0]", stringValue: "x" })).toEqual(misfit);
    expect(build(nested, { jsonPath: "$.a[0].c", stringValue: "x" })).toEqual(misfit);
  });

  test("R154: arguments that came with the name are kept", () => {
    const args = new PartialArgs({ a: 1, b: undefined });
    expect(args.add({ jsonPath: "$.c", numberValue: 2 })).toBeUndefined();
    expect(args.value()).toEqual({ a: 1, c: 2 });
  });

  test("R154 F-S8: pieces may name their call again; a closed call is not opened again", () => {
    const head = { id: "x", name: "f" };
    const grow = (stringValue: string): unknown =>
      callPiece({
        ...head,
        partialArgs: [{ jsonPath: "$.a", stringValue, willContinue: true }],
        willContinue: true,
      });
    const parts = partsOf([
      chunk([callPiece({ ...head, willContinue: true })]),
      chunk([grow("1")]),
      chunk([grow("2"), callPiece({})]),
      chunk([callPiece({ name: "g", willContinue: true }), callPiece(head)]),
      chunk([callPiece({ partialArgs: [{ jsonPath: "$.b", boolValue: true }] })]),
      stop,
    ]);
    expect(parts).toMatchObject([
      { id: "x", input: { a: "12" } },
      { name: "g", input: { b: true } },
    ]);
  });

  test("F-S11: names of Object's own are data", () => {
    const built = build(
      { jsonPath: "$.__proto__.polluted", boolValue: true },
      { jsonPath: "$.constructor", stringValue: "x" },
    );
    expect(JSON.stringify(built)).toBe('{"__proto__":{"polluted":true},"constructor":"x"}');
    expect("polluted" in {}).toBe(false);
  });

  test("R154 P-F1: a streamed call carries the signature of its first piece", () => {
    expect(
      partsOf([
        chunk([{ functionCall: { name: "f", willContinue: true }, thoughtSignature: "c2ln" }]),
        chunk([
          callPiece({
            partialArgs: [{ jsonPath: "$.id", stringValue: "A", willContinue: true }],
            willContinue: true,
          }),
        ]),
        chunk([
          callPiece({ partialArgs: [{ jsonPath: "$.id", stringValue: "B" }], willContinue: true }),
        ]),
        chunk([callPiece({})]),
        chunk([
          callPiece({
            name: "g",
            args: { x: 1 },
            partialArgs: [{ jsonPath: "$.y", numberValue: 2 }],
          }),
        ]),
        chunk([callPiece({ name: "h", willContinue: true })]),
        chunk([callPiece({ partialArgs: [7], willContinue: true })]),
        stop,
      ]),
    ).toMatchObject([
      { name: "f", input: { id: "AB" }, seal: { data: { thoughtSignature: "c2ln" } } },
      { name: "g", input: { x: 1, y: 2 } },
      { name: "h", input: {}, invalid: { reason: "a partial argument is not an object" } },
    ]);
  });
});
