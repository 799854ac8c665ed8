import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../types/json.ts";
import { findNoObject, findNotStrict, isStrict } from "./schema-problems.ts";

const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const text = { type: "string" };
const open = { type: "object", properties: { a: text } };
const isOpenAt = (context: string): string =>
  `In context=(${context}), 'additionalProperties' is required to be supplied and to be false.`;
const misses = (context: string, name: string): string =>
  `In context=(${context}), 'required' is required to be supplied and to be an array including every key in properties. Missing '${name}'.`;

describe("P-J2 what OpenAI finds wrong with a strict schema", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["nothing", closed({ a: text, b: closed({}) }), []],
    ["an open object", open, [isOpenAt(""), misses("", "a")]],
    ["an object that may be null", { type: ["object", "null"] }, [isOpenAt("")]],
    ["one that says so only by its properties", { properties: {} }, [isOpenAt("")]],
    [
      "one inside a list",
      closed({ list: { type: "array", items: { ...open, additionalProperties: false } } }),
      [misses("'properties', 'list', 'items'", "a")],
    ],
    [
      "one of several",
      closed({ a: { anyOf: [text, { ...open, required: ["a"] }] } }),
      [isOpenAt("'properties', 'a', 'anyOf', '1'")],
    ],
    [
      "one in a definition",
      { ...closed({}), $defs: { step: { type: "object" } } },
      [isOpenAt("'$defs', 'step'")],
    ],
    [
      "oneOf, but no property of that name",
      closed({ oneOf: text, a: { oneOf: [text] } }),
      ["In context=('properties', 'a'), 'oneOf' is not permitted."],
    ],
    ["nothing in values", closed({ a: { enum: [open], default: open } }), []],
  ])("%s", (_, schema, problems) => {
    expect(findNotStrict(schema)).toEqual(problems);
    expect(isStrict(schema)).toBe(problems.length === 0);
  });
});

describe("P-J2 what OpenAI takes for no arguments of a function", () => {
  it.each<[JsonObject, readonly string[]]>([
    [open, []],
    [{ type: "object" }, ["In context=(), object schema missing properties."]],
    [{ type: "array" }, [`schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`]],
    [{}, [`schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`]],
    [
      { type: ["object"] },
      [`schema must be a JSON Schema of 'type: "object"', got 'type: "["object"]"'.`],
    ],
    [
      { ...open, anyOf: [open] },
      [
        "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level.",
      ],
    ],
  ])("%j", (schema, problems) => {
    expect(findNoObject(schema)).toEqual(problems);
  });
});
