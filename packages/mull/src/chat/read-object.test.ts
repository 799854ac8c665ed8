import { expect, test } from "vitest";
import type { JsonObject } from "../types/json.ts";
import { readObject } from "./object.ts";

const n: JsonObject = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

test.each<readonly [string, JsonObject, unknown]>([
  [' {"n": 1} ', n, { n: 1 }],
  ['```\n{"n": 1}\n```', n, { n: 1 }],
  ['First {"m": 2}, then {"n": 1}.', n, { n: 1 }],
  ['{ no } "}" {"n": 1, "s": "a } \\" {"} rest', n, { n: 1, s: 'a } " {' }],
  ["4", { type: "integer" }, 4],
  ['{"a":null}', { type: "object", properties: { a: { type: "string" } } }, {}],
  ['{"a":null}', { type: "object", properties: { a: { type: ["string", "null"] } } }, { a: null }],
  [
    '[{"next":{"next":null}}]',
    {
      type: "array",
      items: { $ref: "#/$defs/node" },
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    },
    [{ next: {} }],
  ],
])("R432 %j is read", async (text, schema, value) => {
  expect(await readObject(text, { schema })).toEqual({ value });
});

test.each<readonly [string, JsonObject, string]>([
  ["nothing", n, "the answer holds no JSON"],
  ['{"n":"x"}', n, "the answer.n must be integer, not string"],
  ["[".repeat(3000) + "]".repeat(3000), n, "the JSON is nested deeper than"],
  [
    '{"a":[1,1]}',
    { type: "object", properties: { a: { uniqueItems: true } } },
    "must not contain an item twice",
  ],
  [
    '{"a":5}',
    { type: "object", additionalProperties: { maximum: 4 } },
    "the answer.a must be at most 4",
  ],
  ["3", { oneOf: [{ type: "integer" }, { minimum: 2 }] }, "fits 2 of the forms, and may fit one"],
  ["0.35", { multipleOf: 0.1 }, "must be a multiple of 0.1"],
])("R431 %j is not what was asked for", async (text, schema, fault) => {
  const read = await readObject(text, { schema });
  expect("faults" in read && read.faults.join()).toContain(fault);
});

test("R432 a text of nothing but brackets is given up soon", async () => {
  expect(await readObject("{".repeat(200_000), { schema: n })).toHaveProperty("faults");
});
