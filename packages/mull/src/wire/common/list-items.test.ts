import { expect, test } from "vitest";
import { compose } from "../../chat/compose.ts";
import { resolveModel } from "../../providers/index.ts";
import { lint } from "../../rules/lint.ts";
import type { JsonObject } from "../../types/json.ts";
import { withItems } from "./list-items.ts";
import { findNoItems } from "./schema-problems.ts";

const list = { type: "array" };
const filled = { type: "array", items: {} };

test.each<[JsonObject, JsonObject, readonly string[]]>([
  [list, filled, [""]],
  [{ type: ["string", "array"] }, { type: ["string", "array"], items: {} }, ["'type', '1'"]],
  [{ properties: { a: list } }, { properties: { a: filled } }, ["'properties', 'a'"]],
  [
    { $defs: { a: { items: list } } },
    { $defs: { a: { items: filled } } },
    ["'$defs', 'a', 'items'"],
  ],
  [{ anyOf: [list, true] }, { anyOf: [filled, true] }, ["'anyOf', '0'"]],
])("P-G1 a list that says nothing of its items takes anything: %j", (schema, whole, contexts) => {
  expect(withItems(schema)).toEqual(whole);
  expect(findNoItems(schema)).toEqual(
    contexts.map((context) => `In context=(${context}), array schema missing items.`),
  );
  expect(withItems(whole)).toBe(whole);
  expect(findNoItems(whole)).toEqual([]);
});

test.each(["gpt-6-sol", "openai-chat:gpt-4.1", "claude-opus-5-5", "gemini-3.8-flash"])(
  "P-G1 %s takes a tool and an answer with such a list",
  (ref) => {
    const schema = { type: "object", properties: { paths: list } };
    const { encoded, plan } = compose(resolveModel(ref), {
      messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
      tools: [{ name: "read", inputSchema: schema }],
      output: { schema },
    });
    const { findings } = lint({ ...encoded, wire: plan.wire, model: resolveModel(ref).model });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  },
);
