import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type as ark } from "arktype";
import { emulate, says, script, type Emulator } from "@mull/emulator";
import {
  Agent,
  chat,
  compose,
  resolveModel,
  streamChat,
  type JsonObject,
  type Message,
} from "mull";
import { isJsonObject } from "mull/wire";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";

const wires = [
  "claude-opus-5-5/low",
  "gpt-6-sol/low",
  "openai-chat:gpt-6-sol/none",
  "gemini-3.8-flash/low",
];

const messages: readonly Message[] = [{ role: "user", parts: [{ type: "text", text: "Four?" }] }];
const count = z.object({ n: z.number() });

const answering = (...texts: readonly string[]): Emulator =>
  emulate({ scripts: [script({}, ...texts.map((text) => [says(text)]))] });

const sentBy = (emulator: Emulator): readonly JsonObject[] =>
  emulator.journal().map(({ body }) => (isJsonObject(body) ? body : {}));

describe.each(wires)("objects from %s", (model) => {
  test("R430 what does not fit is asked for again, with what is wrong; the object is typed and checked", async () => {
    const fetch = answering('{"n":"four"}', "No idea", '{"n":4}');
    const result = await chat(
      model,
      { messages, output: { schema: count } },
      { fetch, apiKey: "k" },
    );
    expectTypeOf(result.object).toEqualTypeOf<{ n: number }>();
    expect(result.object).toEqual({ n: 4 });
    expect(result.rejected).toHaveLength(2);
    const [, second, third] = sentBy(fetch).map((body) => JSON.stringify(body));
    expect(second).toContain("n: Invalid input: expected number, received string");
    expect(third).toContain("the answer holds no JSON");
  });

  test("R430 an agent asks again within the turn, and a stream begins anew", async () => {
    const fetch = answering('{"n":"four"}', '{"n":4}', '{"n":"five"}', '{"n":5}');
    const agent = new Agent(model, { fetch, apiKey: "k", output: { schema: count } });
    const { object, receipts } = await agent.send("Four?");
    expectTypeOf(object).toEqualTypeOf<{ n: number } | undefined>();
    expect(object).toEqual({ n: 4 });
    expect(receipts).toHaveLength(2);
    expect(agent.history.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    const stream = streamChat(
      model,
      { messages, output: { schema: count } },
      { fetch, apiKey: "k" },
    );
    const events: string[] = [];
    for await (const { type } of stream)
      if (type === "start" || type === "finish") events.push(type);
    expect(events).toEqual(["start", "start", "finish"]);
    expect((await stream.result()).object).toEqual({ n: 5 });
  });

  test("R431 after the last try a typed error carries the text and the answer", async () => {
    const fetch = answering("one", "two", "three", "four");
    const output = { schema: count, retries: 1 };
    await expect(chat(model, { messages, output }, { fetch, apiKey: "k" })).rejects.toMatchObject({
      code: "no_object",
      category: "protocol",
      text: "two",
      partial: { message: { role: "assistant" } },
    });
    const agent = new Agent(model, { fetch, apiKey: "k", output });
    await expect(agent.send("Four?")).rejects.toMatchObject({ code: "no_object", text: "four" });
  });

  test("R432 JSON in a fence or among words is read", async () => {
    const fetch = answering(
      'Here: {it is}\n```json\n{"n": 4}\n```\nDone.',
      'I say [sic] {"n": 5}, yes.',
    );
    const ask = (): Promise<{ readonly object: { n: number } }> =>
      chat(model, { messages, output: { schema: count } }, { fetch, apiKey: "k" });
    expect((await ask()).object).toEqual({ n: 4 });
    expect((await ask()).object).toEqual({ n: 5 });
  });

  test("R433 the object grows while it streams", async () => {
    const whole = {
      title: 'A "long" title '.repeat(20),
      tags: ["a", "b"],
      deep: { n: -1.5, ok: true },
    };
    const fetch = answering(JSON.stringify(whole), JSON.stringify(whole));
    const schema = z.object({
      title: z.string(),
      tags: z.array(z.string()),
      deep: z.object({ n: z.number(), ok: z.boolean() }),
    });
    const titles: (string | undefined)[] = [];
    let last: unknown;
    const agent = new Agent(model, { fetch, apiKey: "k", output: { schema } });
    for await (const object of agent.sendStream("Title?").objects()) {
      expectTypeOf(object.title).toEqualTypeOf<string | undefined>();
      titles.push(object.title);
      last = object;
    }
    expect(last).toEqual(whole);
    expect(titles.length).toBeGreaterThan(3);
    expect(titles.every((title) => whole.title.startsWith(title ?? ""))).toBe(true);
    const stream = streamChat(model, { messages, output: { schema } }, { fetch, apiKey: "k" });
    for await (const object of stream.objects()) last = object;
    expect(last).toEqual(whole);
    expect((await stream.result()).object).toEqual(whole);
  });

  test("R434 fields that may be absent, numbers with bounds and unions reach every service", async () => {
    const schema = z.object({
      name: z.string().min(2),
      age: z.number().int().min(0).optional(),
      pet: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("cat"), lives: z.number() }),
        z.object({ kind: z.literal("dog"), trick: z.string().optional() }),
      ]),
    });
    const said = { name: "Ann", age: null, pet: { kind: "dog", trick: null } };
    const fetch = answering(JSON.stringify(said));
    const { object } = await chat(model, { messages, output: { schema } }, { fetch, apiKey: "k" });
    expect(object).toEqual({ name: "Ann", pet: { kind: "dog" } });
    expect(fetch.journal().map(({ verdict }) => verdict)).toEqual(["answered"]);
  });
});

const ask = async <T>(output: Parameters<typeof chat<T>>[1]["output"]): Promise<unknown> => {
  const fetch = answering('{"n":"x"}', '{"n":4}');
  return (await chat("gpt-6-sol", { messages, output }, { fetch, apiKey: "k" })).object;
};
describe("R435 libraries of schemas", () => {
  const bare = v.object({ n: v.number() });

  test("zod, arktype and valibot check and give their types", async () => {
    for (const schema of [count, ark({ n: "number" }), toStandardJsonSchema(bare)])
      expect(await ask({ schema })).toEqual({ n: 4 });
    const fetch = answering('{"n":4}', '{"n":4}');
    const output = { schema: toStandardJsonSchema(bare) };
    const { object } = await chat("gpt-6-sol", { messages, output }, { fetch, apiKey: "k" });
    expectTypeOf(object).toEqualTypeOf<{ n: number }>();
    const asked = { messages, output: { schema: ark({ n: "number" }) } };
    const other = await chat("gpt-6-sol", asked, { fetch, apiKey: "k" });
    expectTypeOf(other.object).toEqualTypeOf<{ n: number }>();
  });

  test("a schema that cannot write itself as JSON Schema says how", async () => {
    await expect(ask({ schema: bare })).rejects.toMatchObject({
      field: "output.schema",
      message: expect.stringMatching(/output\.jsonSchema.+toStandardJsonSchema/) as string,
    });
    const jsonSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    expect(await ask({ schema: bare, jsonSchema })).toEqual({ n: 4 });
  });

  test("JSON Schema takes its type from a parameter and is checked", async () => {
    const fetch = answering('{"n":"x"}', '{"n":4}');
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const request = { messages, output: { schema } };
    const { object } = await chat<{ n: number }>("gpt-6-sol", request, { fetch, apiKey: "k" });
    expectTypeOf(object).toEqualTypeOf<{ n: number }>();
    expect(object).toEqual({ n: 4 });
  });
});

const refusalOf = async (model: string, schema: JsonObject): Promise<unknown> => {
  const fetch = answering("{}");
  const error = await chat(model, { messages, output: { schema } }, { fetch, apiKey: "k" }).catch(
    (thrown: unknown) => thrown,
  );
  expect(fetch.journal()).toEqual([]);
  return error;
};
describe("R436 what cannot be asked for is refused before anything is sent", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };

  test.each([
    ["claude-opus-5-5", { type: "object", not: {} }, "output.schema.not"],
    [
      "gpt-6-sol",
      { type: "object", properties: { a: { contains: {} } } },
      "output.schema.properties.a.contains",
    ],
    [
      "gpt-6-sol",
      { type: "object", properties: { a: { $ref: "#/$defs/x" } } },
      "output.schema.properties.a.$ref",
    ],
    ["gpt-6-sol", { type: "array", items: { type: "string" } }, "output.schema.type"],
    ["openai-chat:gpt-6-sol", { anyOf: [{ type: "object" }] }, "output.schema.type"],
    [
      "claude-opus-5-5",
      { type: "object", additionalProperties: { type: "string" } },
      "output.schema.additionalProperties",
    ],
    [
      "claude-opus-5-5",
      { ...node, $defs: { node } },
      "output.schema.properties.next.$ref.properties.next",
    ],
  ])("%s: %j", async (model, schema, field) => {
    expect(await refusalOf(model, schema)).toMatchObject({ code: "INVALID_ARG", field });
  });

  test("retries, names and JSON Schemas of the wrong kind", () => {
    const schema = { type: "object" };
    for (const [field, output] of [
      ["output.retries", { schema, retries: -1 }],
      ["output.name", { schema, name: 5 }],
      ["output.jsonSchema", { schema, jsonSchema: "x" }],
      ["output.schema", {}],
    ] as const)
      expect(() => new Agent("gpt-6-sol", { output: output as never })).toThrow(field);
  });
});

test("R434 each service is sent the schema that it takes, and the receipt says what went as words", async () => {
  const schema = z.object({
    tags: z.array(z.string().max(5)).max(3).optional(),
    pick: z.union([z.literal("a"), z.number().min(2)]),
  });
  const formats = new Map<string, unknown>();
  for (const model of wires) {
    const fetch = answering('{"pick":"a"}');
    const { receipt } = await chat(model, { messages, output: { schema } }, { fetch, apiKey: "k" });
    expect(receipt.notes.map(({ code }) => code)).toContain("schema-in-words");
    formats.set(model, sentBy(fetch)[0]);
  }
  const closed = { additionalProperties: false };
  const openai = {
    ...closed,
    required: ["tags", "pick"],
    properties: {
      tags: { type: ["array", "null"], maxItems: 3, items: { description: "(maxLength: 5)" } },
    },
  };
  const [claude, responses, openaiChat, gemini] = wires.map((model) => formats.get(model));
  expect(claude).toMatchObject({
    output_config: {
      format: {
        schema: {
          ...closed,
          required: ["pick"],
          properties: { tags: { description: "(maxItems: 3)" } },
        },
      },
    },
  });
  expect(responses).toMatchObject({ text: { format: { strict: true, schema: openai } } });
  expect(openaiChat).toMatchObject({
    response_format: { json_schema: { strict: true, schema: openai } },
  });
  expect(gemini).toMatchObject({
    generationConfig: { responseJsonSchema: { properties: { tags: { maxItems: 3 } } } },
  });
});

const schemaSent = (model: string, schema: JsonObject | z.ZodType): JsonObject | undefined =>
  compose(resolveModel(model), { messages, output: { schema } }).request.output?.schema;

test("R434 a tuple goes as a list of any of its items, since OpenAI and Claude take no other", () => {
  const schema = z.object({ pair: z.tuple([z.string(), z.number(), z.string()]) });
  const items = { anyOf: [{ type: "string" }, { type: "number" }] };
  for (const model of ["gpt-6-sol", "claude-opus-5-5"])
    expect(schemaSent(model, schema)).toMatchObject({
      properties: { pair: { items, description: expect.stringContaining("prefixItems") } },
    });
  expect(schemaSent("gemini-3.8-flash", schema)).toMatchObject({
    properties: { pair: { prefixItems: [{}, {}, {}] } },
  });
  const alike = {
    type: "object",
    properties: { a: { type: "array", prefixItems: [{ const: 1 }] } },
  };
  expect(schemaSent("gpt-6-sol", alike)).toMatchObject({
    properties: { a: { items: { const: 1 } } },
  });
  const none = { type: "object", properties: { a: { type: "array", prefixItems: [] } } };
  expect(schemaSent("claude-opus-5-5", none)).toMatchObject({ properties: { a: { items: {} } } });
});

test("R434 a schema of anything is not asked for strictly", async () => {
  const fetch = answering('{"x":1}');
  const schema = z.object({ x: z.any() });
  const { receipt } = await chat(
    "gpt-6-sol",
    { messages, output: { schema } },
    { fetch, apiKey: "k" },
  );
  expect(receipt.notes.map(({ code }) => code)).toContain("schema-not-strict");
  expect(sentBy(fetch)[0]).toMatchObject({ text: { format: { strict: false } } });
});

interface Tree {
  readonly name: string;
  readonly next: Tree | null;
  readonly children: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({ name: z.string(), next: tree.nullable(), children: z.array(tree) }),
);

test.each(["gpt-6-sol", "gemini-3.8-flash"])(
  "P-J2 the emulator fills what %s was told in words, and schemas that hold themselves",
  async (model) => {
    const schema = z.object({ pair: z.tuple([z.string(), z.number()]), at: z.url(), tree });
    const fetch = emulate();
    const { object } = await chat(model, { messages, output: { schema } }, { fetch, apiKey: "k" });
    expect(object).toMatchObject({ at: "https://example.com/" });
    expect(fetch.journal()).toHaveLength(1);
  },
);
