import { Agent, tool, type JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";

const schema = {
  type: "object",
  properties: { product: { type: "integer" } },
  required: ["product"],
  additionalProperties: false,
};
const openApi = { type: "OBJECT", properties: { product: { type: "INTEGER" } } };
const question = "What is 23 * 47?";
const messages = [{ role: "user", content: question }];

const claude = { model: "claude-opus-5-5", max_tokens: 4000, messages };
const gemini = {
  model: "gemini-3.8-flash",
  contents: [{ role: "user", parts: [{ text: question }] }],
};
const responses = { model: "gpt-6-sol", input: question };
const chat = { model: "gpt-6-sol", messages };

/** Where each wire has the text of its answer. */
const places: Readonly<Record<WireName, readonly (string | number)[]>> = {
  anthropic: ["content", -1, "text"],
  responses: ["output", -1, "content", 0, "text"],
  chat: ["choices", 0, "message", "content"],
  google: ["candidates", 0, "content", "parts", -1, "text"],
};

const textIn = (wire: WireName, body: JsonObject): string => {
  const found = places[wire].reduce<unknown>(
    (value, key) =>
      typeof key === "number" ? (value as readonly unknown[]).at(key) : (value as JsonObject)[key],
    body,
  );
  return String(found);
};

const asked: readonly (readonly [string, WireName, JsonObject])[] = [
  [
    "Anthropic's output_config",
    "anthropic",
    { ...claude, output_config: { format: { type: "json_schema", schema } } },
  ],
  [
    "a format beside verbosity",
    "responses",
    {
      ...responses,
      text: { verbosity: "low", format: { type: "json_schema", name: "sum", schema } },
    },
  ],
  [
    "a format with a description",
    "responses",
    {
      ...responses,
      text: {
        format: { type: "json_schema", name: "sum", description: "A sum.", strict: false, schema },
      },
    },
  ],
  [
    "response_format",
    "chat",
    {
      ...chat,
      response_format: {
        type: "json_schema",
        json_schema: { name: "sum", description: "A sum.", schema },
      },
    },
  ],
  [
    "Google's own schema",
    "google",
    {
      ...gemini,
      generationConfig: { responseMimeType: "application/json", responseSchema: openApi },
    },
  ],
  [
    "Google's own schema in snake case",
    "google",
    {
      ...gemini,
      generation_config: { response_mime_type: "application/json", response_schema: openApi },
    },
  ],
];

describe("P-J2 an answer fits the schema that was asked for", () => {
  it.each(asked)("%s", async (_, wire, body) => {
    const { status, message, body: answer } = await ask(emulate(), wire, body);
    expect([status, message]).toEqual([200, ""]);
    expect(JSON.parse(textIn(wire, answer))).toEqual({ product: 1081 });
  });

  it("one of Google's values comes bare", async () => {
    const { body } = await ask(emulate(), "google", {
      ...gemini,
      generationConfig: {
        responseMimeType: "text/x.enum",
        responseSchema: { type: "STRING", enum: ["Positive", "Negative"] },
      },
    });
    expect(textIn("google", body)).toBe("Positive");
  });

  it.each<readonly [WireName, JsonObject]>([
    [
      "responses",
      { ...responses, input: `${question} As JSON.`, text: { format: { type: "json_object" } } },
    ],
    [
      "chat",
      {
        ...chat,
        messages: [{ role: "user", content: `${question} As JSON.` }],
        response_format: { type: "json_object" },
      },
    ],
    ["google", { ...gemini, generationConfig: { responseMimeType: "application/json" } }],
  ])("%s: JSON of any shape", async (wire, body) => {
    const { body: answer } = await ask(emulate(), wire, body);
    expect(JSON.parse(textIn(wire, answer))).toEqual({
      answer: expect.stringContaining("1,081"),
    });
  });
});

const look = tool({ name: "look", input: { type: "object" }, run: () => "seen" });

describe("a service that takes no schema here", () => {
  it.each(["gemini-2.5-flash/low", "deepseek-v4-pro/low", "glm-5/low"])(
    "R434 %s is told it in words, and the receipt says so",
    async (model) => {
      const emulator = emulate();
      const options = { fetch: emulator, apiKey: "k", tools: [look], output: { schema } };
      const { object, receipts } = await new Agent(model, options).send(question);
      expect(object).toEqual({ product: 1081 });
      expect(receipts).toHaveLength(1);
      expect(receipts[0]?.notes.map(({ code }) => code)).toContain("schema-dropped");
      expect(emulator.journal().map(({ verdict }) => verdict)).toEqual(["answered"]);
    },
  );

  it("R434 a schema that isn't JSON is not taken for one", async () => {
    const system = "JSON Schema: {product}";
    const more = { ...chat, model: "deepseek-v4-pro", response_format: { type: "json_object" } };
    const { body } = await ask(emulate(), "chat", {
      ...more,
      messages: [{ role: "system", content: [{ type: "text", text: system }] }, ...messages],
    });
    expect(textIn("chat", body)).toContain('"answer"');
  });
});
