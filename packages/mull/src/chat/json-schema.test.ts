import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../types/json.ts";
import { findFaults } from "./json-schema.ts";

type Row = readonly [schema: JsonObject, good: JsonValue, bad: JsonValue, says: string];

const rows: readonly Row[] = [
  [{ type: "string" }, "a", 1, "input must be string, not number"],
  [{ type: "integer" }, 3, 3.5, "input must be integer, not number"],
  [{ type: ["string", "null"] }, null, true, "input must be string or null, not boolean"],
  [{ type: "array" }, [], {}, "input must be array, not object"],
  [{ type: "object" }, {}, [], "input must be object, not array"],
  [{ enum: ["a", { b: 1 }] }, { b: 1 }, "c", 'input must be one of ["a",{"b":1}]'],
  [{ const: 1 }, 1, 2, "input must be 1"],
  [{ minimum: 1 }, 1, 0, "input must be at least 1"],
  [{ maximum: 5 }, 5, 6, "input must be at most 5"],
  [{ minLength: 2 }, "ab", "a", "input must have at least 2 characters"],
  [{ maxLength: 2 }, "ab", "abc", "input must have at most 2 characters"],
  [{ pattern: "^a+$" }, "aa", "b", "input must match ^a+$"],
  [{ items: { type: "number" } }, [1], [1, "x"], "input[1] must be number, not string"],
  [
    { anyOf: [{ type: "string" }, { type: "number" }] },
    1,
    true,
    "input fits none of the allowed forms",
  ],
  [{ oneOf: [{ const: "a" }, { const: "b" }] }, "b", "c", "input fits none of the allowed forms"],
  [
    { properties: { a: { type: "string" } }, additionalProperties: false },
    { a: "x" },
    { b: 1 },
    "input.b is not a field of this schema",
  ],
  [{ required: ["a"] }, { a: null }, {}, "input.a is required"],
  [
    { properties: { a: { properties: { b: { type: "null" } } } } },
    { a: { b: null } },
    { a: { b: 1 } },
    "input.a.b must be null, not number",
  ],
];

describe("F-K6 inputs are held against the tool's schema", () => {
  test.each(rows)("%j takes %j and not %j", (schema, good, bad, says) => {
    expect(findFaults(good, schema)).toEqual([]);
    expect(findFaults(bad, schema)).toEqual([says]);
  });

  test("names of Object.prototype are plain names", () => {
    const schema = { properties: { a: {} }, required: ["toString"], additionalProperties: false };
    expect(findFaults(JSON.parse('{"constructor":1}') as JsonValue, schema)).toEqual([
      "input.toString is required",
      "input.constructor is not a field of this schema",
    ]);
  });

  test("a pattern JavaScript cannot read is the schema's fault", () => {
    expect(findFaults("x", { pattern: "(" })).toEqual([]);
  });
});
