import { describe, expect, it } from "vitest";
import { findModel } from "../../../catalogue/find-model.ts";
import type { JsonObject } from "../../../types/json.ts";
import { type Case, check, inputOf, judge, repair, wanted } from "../testing/rule-case.ts";

const open = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
  additionalProperties: false,
};
const tool = (parameters: JsonObject | null, strict = true): JsonObject => ({
  tools: [{ type: "function", name: "look", strict, parameters }],
});
const format = (schema: JsonObject): JsonObject => ({
  text: { verbosity: "low", format: { type: "json_schema", name: "n", strict: true, schema } },
});

const cases: readonly Case[] = [
  {
    rule: "openai/strict-schema",
    body: tool(open),
    path: "tools[0].parameters",
    message:
      "Invalid schema for function 'look': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'days'.",
    code: "invalid_function_parameters",
  },
  {
    rule: "openai/strict-schema",
    body: format({ ...open, required: ["city", "days"], additionalProperties: true }),
    path: "text.format.schema",
    message:
      "Invalid schema for response_format 'n': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    code: "invalid_json_schema",
  },
  {
    rule: "openai/tool-schema",
    body: tool({ type: "object", additionalProperties: false }, false),
    path: "tools[0].parameters",
    message: "Invalid schema for function 'look': In context=(), object schema missing properties.",
    code: "invalid_function_parameters",
  },
  {
    rule: "openai/schema-items",
    body: tool({ type: "object", properties: { paths: { type: "array" } } }, false),
    path: "tools[0].parameters",
    message:
      "Invalid schema for function 'look': In context=('properties', 'paths'), array schema missing items.",
    code: "invalid_function_parameters",
  },
  {
    rule: "openai/tool-schema",
    body: tool({ anyOf: [] }, false),
    path: "tools[0].parameters",
    message:
      "Invalid schema for function 'look': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.",
    code: "invalid_function_parameters",
    stays: true,
  },
  {
    rule: "openai/json-word",
    body: { text: { format: { type: "json_object" } } },
    path: "input",
    message:
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
    stays: true,
  },
];

describe("P-J2 schemas on the Responses API", () => {
  it.each(cases)("$rule: $message", (each) => {
    expect(judge(each, findModel)).toEqual(wanted(each));
  });

  it.each([
    ["an open schema that nobody calls strict", tool(open, false)],
    ["a function without arguments", tool(null)],
    [
      "JSON mode that is spoken of",
      { input: "As JSON", text: { format: { type: "json_object" } } },
    ],
    ["a tool of the service's own", { tools: [{ type: "tool_search", parameters: {} }] }],
  ])("takes %s", (_, body) => {
    const input = inputOf(body);
    expect(repair(input).body).toEqual(input.body);
  });

  it("a format without a name is spoken of without one", () => {
    const nameless = { type: "json_schema", strict: true, schema: { type: "object" } };
    const found = check(inputOf({ text: { format: nameless } })).find(
      ({ rule }) => rule === "openai/strict-schema",
    );
    expect(found?.message).toContain("Invalid schema for response_format '':");
  });

  it("only what is open becomes loose", () => {
    const closed = { ...open, required: ["city", "days"] };
    const tools = [tool(open), tool(closed)].flatMap((body) => body["tools"] ?? []);
    const repaired = repair(inputOf({ tools, ...format(open) }));
    expect(repaired.body).toMatchObject({
      tools: [{ strict: false }, { strict: true }],
      text: { verbosity: "low", format: { strict: false, schema: open } },
    });
  });
});
