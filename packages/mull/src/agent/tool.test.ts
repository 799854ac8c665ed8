import { describe, expect, test } from "vitest";
import type { StandardSchema } from "../types/standard-schema.ts";
import { tool } from "./tool.ts";

const standard = (jsonSchema?: unknown): StandardSchema<{ city: string }> => ({
  "~standard": {
    validate: (value) =>
      typeof (value as { city?: unknown }).city === "string"
        ? { value: { city: (value as { city: string }).city.trim() } }
        : { issues: [{ message: "Required", path: [{ key: "city" }] }, { message: "Odd" }] },
    ...(jsonSchema !== undefined && { jsonSchema: { input: () => jsonSchema } }),
  },
});

describe("a tool is checked when it is made", () => {
  test.each(["", "1st", "a b", "ä", "x".repeat(65)])("name %j is refused", (name) => {
    expect(() => tool({ name, run: () => "" })).toThrow(/tool name/);
  });

  test("without a schema it takes an object", () => {
    expect(tool({ name: "now", run: () => "" }).spec).toEqual({
      name: "now",
      inputSchema: { type: "object", properties: {} },
    });
  });

  test.each([
    ["a cycle", cyclicSchema()],
    ["no object", "string" as never],
    ["a list", [] as never],
    ["of a text", { type: "string" }],
    ["of a misspelt type", { type: "obejct" }],
  ])("a schema that is %s is refused", (_, input) => {
    expect(() => tool({ name: "t", input, run: () => "" })).toThrow(/inputSchema/);
  });

  test("a Standard Schema gives its JSON Schema, validates and transforms", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const made = tool({
      name: "t",
      input: standard(schema),
      strict: true,
      run: ({ city }) => city,
    });
    expect(made.spec).toEqual({ name: "t", inputSchema: schema, strict: true });
    expect(await made.check({ city: " Oslo " })).toEqual({ input: { city: "Oslo" } });
    expect(await made.check({})).toEqual({ faults: ["city: Required", "input: Odd"] });
  });

  test("one whose types JSON has not is refused in words", () => {
    const { "~standard": contract } = standard();
    const dated: StandardSchema = {
      "~standard": {
        ...contract,
        jsonSchema: {
          input: () => {
            throw new Error("Date cannot be represented in JSON Schema");
          },
        },
      },
    };
    expect(() => tool({ name: "t", input: dated, run: () => "" })).toThrow(
      expect.objectContaining({
        isMullError: true,
        message: expect.stringContaining("Date cannot be represented"),
        fix: expect.stringContaining("inputSchema"),
      }),
    );
  });

  test("one that cannot give a JSON Schema needs it beside", () => {
    expect(() => tool({ name: "t", input: standard(), run: () => "" })).toThrow(
      /cannot write itself as JSON Schema.*in .*inputSchema.*toStandardJsonSchema/,
    );
    const inputSchema = { type: "object" };
    const made = tool({ name: "t", input: standard(), inputSchema, run: () => "" });
    expect(made.spec.inputSchema).toEqual(inputSchema);
  });
});

function cyclicSchema(): never {
  const schema: Record<string, unknown> = { type: "object" };
  schema["properties"] = schema;
  return schema as never;
}

describe("R9 a tool in other libraries' words is refused with ours, not defined without them", () => {
  const schema = { type: "object", properties: { city: { type: "string" } } };
  test.each<[string, object, string]>([
    ["parameters", { name: "look", parameters: schema, run: () => 1 }, "input"],
    ["schema", { name: "look", schema, run: () => 1 }, "input"],
    ["input_schema", { name: "look", input_schema: schema, run: () => 1 }, "inputSchema"],
    ["execute", { name: "look", input: schema, execute: () => 1 }, "run"],
    ["descripton", { name: "look", descripton: "looks", run: () => 1 }, "description"],
  ])("%s", (field, options, meant) => {
    expect(() => tool(options as never)).toThrow(
      expect.objectContaining({ category: "invalid_argument", field, allowed: [meant] }),
    );
  });
});
