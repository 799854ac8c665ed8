import { describe, expect, test } from "vitest";
import { lint } from "../rules/lint.ts";
import { resolveModel } from "../providers/index.ts";
import type { JsonObject } from "../types/json.ts";
import { compose } from "./compose.ts";
import { fitTools } from "./fit-tools.ts";

const text = { type: "string" };
const add = {
  type: "object",
  properties: { kind: { const: "add" }, item: text },
  required: ["kind", "item"],
};
const clear = { type: "object", properties: { kind: { const: "clear" } }, required: ["kind"] };

const fitted = (inputSchema: JsonObject): unknown => {
  const [tool] = fitTools([{ name: "f", inputSchema }], "openai-responses").tools;
  return tool !== undefined && "inputSchema" in tool ? tool.inputSchema : undefined;
};

const joined = {
  type: "object",
  description: "Give the fields of one of these forms: kind, item | kind.",
  properties: { kind: { anyOf: [{ const: "add" }, { const: "clear" }] }, item: text },
  required: ["kind"],
};

describe("P-J2 schemas with alternatives at their top", () => {
  test.each(["oneOf", "anyOf"])("%s becomes one object", (key) => {
    expect(fitted({ [key]: [add, clear] })).toEqual(joined);
  });

  test("what is behind a name counts, and the words of the schema stay", () => {
    const $defs = { add, clear };
    const oneOf = [{ $ref: "#/$defs/add" }, { $ref: "#/$defs/clear" }];
    expect(fitted({ description: "Changes the list.", oneOf, $defs })).toEqual({
      ...joined,
      description: `Changes the list. ${joined.description}`,
      $defs,
    });
  });

  test("alternatives may name only what they require", () => {
    const properties = { id: text, url: text };
    const oneOf = [{ required: ["id"] }, { required: ["url"] }];
    expect(fitted({ type: "object", properties, oneOf })).toEqual({
      type: "object",
      properties,
      description: "Give the fields of one of these forms: id | url.",
    });
  });

  test("all of several is all of their fields", () => {
    const allOf = [{ properties: { a: text }, required: ["a"] }, { oneOf: [add, clear] }];
    expect(fitted({ allOf })).toEqual({
      type: "object",
      properties: { a: text, ...joined.properties },
      required: ["a", "kind"],
    });
  });

  test.each<JsonObject>([
    { oneOf: [text, add] },
    { oneOf: [{ $ref: "#/$defs/none" }] },
    { oneOf: [{ $ref: "#/$defs/self" }], $defs: { self: { oneOf: [{ $ref: "#/$defs/self" }] } } },
  ])("%j is left to the service to refuse", (schema) => {
    expect(fitted(schema)).toBe(schema);
  });

  test.each(["claude-opus-5-5", "gpt-6-sol", "openai-chat:gpt-4.1"])(
    "%s takes a tool that is such a union, and the receipt says so",
    (ref) => {
      const { provider, model } = resolveModel(ref);
      const { encoded, notes, plan } = compose(
        { provider, model },
        {
          messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
          tools: [{ name: "f", inputSchema: { oneOf: [add, clear] } }],
        },
      );
      expect(lint({ ...encoded, wire: plan.wire, model })).toMatchObject({ ok: true });
      expect(notes.map(({ code }) => code)).toContain("schema-flattened");
    },
  );

  test("a schema without a type is one of an object; others, and Google's, go as they are", () => {
    expect(fitted({})).toEqual({ type: "object" });
    const tools = [{ name: "f", inputSchema: add }];
    expect(fitTools(tools, "anthropic-messages").tools).toBe(tools);
    const union = [{ name: "f", inputSchema: { oneOf: [add, clear] } }];
    expect(fitTools(union, "google-generate").tools).toBe(union);
  });
});
