import { jsonSchemaOutputFormat } from "@anthropic-ai/sdk/helpers/json-schema";
import type { JsonObject, JsonValue } from "mull";
import { describe, expect, it } from "vitest";

import { fillSchema } from "./fill-schema.ts";

const fill = (schema: JsonObject): JsonValue => fillSchema(schema, { texts: [], numbers: [] });

const limited = {
  type: "object",
  properties: {
    size: { type: "string", enum: ["big, size: small", "small"], description: "How big." },
    kind: { type: "string", const: "city" },
    count: { type: "integer", minimum: 5, maximum: 9 },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 2 },
    code: { type: "string", minLength: 12, maxLength: 12 },
  },
  required: ["size", "kind", "count", "tags", "code"],
  additionalProperties: false,
} as const;

describe("P-J2 a schema is filled", () => {
  it.each<readonly [string, JsonObject, JsonValue]>([
    ["a tuple", { type: "array", prefixItems: [{ type: "boolean" }, { const: 2 }] }, [true, 2]],
    ["an older tuple", { type: "array", items: [{ type: "null" }, { const: 2 }] }, [null, 2]],
    ["a tuple without its type", { prefixItems: [{ type: "boolean" }] }, [true]],
    ["more than", { type: "integer", exclusiveMinimum: 5 }, 6],
    ["less than", { type: "number", exclusiveMaximum: 0 }, -0.5],
    ["a multiple", { type: "integer", minimum: 7, multipleOf: 5 }, 10],
    ["a multiple of less than one", { type: "number", multipleOf: 0.5, minimum: 2.1 }, 2.5],
    ["Google's numbers", { type: "ARRAY", items: { const: 1 }, minItems: "2" }, [1, 1]],
    [
      "what the AI SDK says of a list",
      {
        type: "array",
        items: { const: 1 },
        description: "Tags: many.\nmin items: 2; max items: 3.",
      },
      [1, 1],
    ],
    [
      "what the AI SDK says of a number",
      { type: "integer", description: "maximum: 9007199254740991; exclusive minimum: 4." },
      5,
    ],
    ["an address", { type: "string", format: "ipv6" }, "2001:db8::1"],
    ["words in braces that aren't limits", { type: "string", description: "{a: b}" }, "simulated"],
    ["braces alone", { type: "string", description: "{}" }, "simulated"],
  ])("%s", (_, schema, filled) => {
    expect(fill(schema)).toEqual(filled);
  });

  it("in the order Google's schemas may name", () => {
    const properties = { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } };
    const schema = { type: "OBJECT", properties, propertyOrdering: ["c", "a", "nobody"] };
    expect(JSON.stringify(fill(schema))).toBe('{"c":3,"a":1,"b":2}');
  });

  it("also by limits that Anthropic's SDK moves into descriptions", () => {
    const { schema } = jsonSchemaOutputFormat(limited);
    expect(JSON.stringify(schema)).not.toContain('"maxLength":');
    expect(fill(schema as JsonObject)).toEqual({
      size: "big, size: small",
      kind: "city",
      count: 5,
      tags: ["a", "a"],
      code: "simulated...",
    });
  });
});
