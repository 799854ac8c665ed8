import { emulate, says, script } from "@mull/emulator";
import type { Fetch, JsonObject, JsonValue, WireId } from "mull";
import { isJsonObject } from "mull/wire";
import { describe, expect, test } from "vitest";

import { openGateway, sentText } from "./testing/set-up.ts";
import { post, testWires } from "./testing/wires.ts";

const said = '{"degrees":4}';

/** Asks a model for JSON in the words of a client's wire; says what was sent, and what came back. */
async function askFor(
  service: string,
  path: string,
  body: JsonObject,
): Promise<{ readonly sent: readonly JsonObject[]; readonly told: string }> {
  const sent: JsonObject[] = [];
  const emulator = emulate({ scripts: [script({}, [says(said)], [says("again")])] });
  const fetch: Fetch = (url, init) => {
    sent.push(JSON.parse(sentText(init)) as JsonObject);
    return emulator(url, init);
  };
  const { ask } = openGateway({
    fetch: Object.assign(fetch, { simulated: true }),
    model: service,
  });
  const response = await ask(post(path, body));
  const told = await response.text();
  expect({ status: response.status, told }).toMatchObject({ status: 200 });
  return { sent, told };
}

const forms: Readonly<Partial<Record<WireId, readonly [path: string, body: JsonObject]>>> = {
  "openai-chat": [
    "/v1/chat/completions",
    {
      model: "m",
      messages: [{ role: "user", content: "The weather, as JSON" }],
      response_format: { type: "json_object" },
    },
  ],
  "openai-responses": [
    "/v1/responses",
    {
      model: "m",
      store: false,
      input: "The weather, as JSON",
      text: { format: { type: "json_object" } },
    },
  ],
  "google-generate": [
    "/v1beta/models/m:generateContent",
    {
      contents: [{ role: "user", parts: [{ text: "The weather" }] }],
      generationConfig: { responseMimeType: "application/json" },
    },
  ],
};

/** Where a wire switches JSON on. */
const switchIn = (wire: WireId, body: JsonObject): JsonValue | undefined => {
  const inside = (name: string): JsonObject => {
    const value = body[name];
    return isJsonObject(value) ? value : {};
  };
  switch (wire) {
    case "openai-chat":
      return inside("response_format")["type"];
    case "openai-responses":
      return (inside("text")["format"] as JsonObject | undefined)?.["type"];
    case "google-generate":
      return inside("generationConfig")["responseMimeType"];
    case "anthropic-messages":
      return undefined;
    default:
      return wire satisfies never;
  }
};

const expected: Readonly<Record<WireId, string | undefined>> = {
  "anthropic-messages": undefined,
  "openai-responses": "json_object",
  "openai-chat": "json_object",
  "google-generate": "application/json",
};

describe("JSON without a schema, asked of another vendor", () => {
  const pairs = testWires.flatMap(({ wire }) =>
    testWires.flatMap((service) => {
      const form = forms[wire];
      return form === undefined || service.wire === wire
        ? []
        : [{ wire, to: service.wire, model: service.model, form }];
    }),
  );
  test.each(pairs)("by a client of $wire, answered over $to", async ({ to, model, form }) => {
    const { sent, told } = await askFor(`${model}/low`, ...form);
    expect(JSON.stringify(sent[0])).toContain("one JSON object and nothing else");
    expect(switchIn(to, sent[0] ?? {})).toBe(expected[to]);
    expect(told).toContain("degrees");
  });
});

describe("JSON with a schema", () => {
  const schema = {
    type: "OBJECT",
    properties: {
      degrees: { type: "INTEGER", nullable: true, minimum: 0 },
      towns: { type: "ARRAY", items: { type: "STRING" }, minItems: "1" },
    },
    required: ["degrees"],
    propertyOrdering: ["degrees", "towns"],
  };
  const config = { responseMimeType: "application/json", responseSchema: schema };
  const body = {
    contents: [{ role: "user", parts: [{ text: "The weather" }] }],
    generationConfig: config,
  };

  test("Google's older form is one of JSON Schema to others", async () => {
    const { sent } = await askFor("gpt-6-sol/low", "/v1beta/models/m:generateContent", body);
    expect(sent[0]).toMatchObject({
      text: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: {
              degrees: { type: ["integer", "null"], minimum: 0 },
              towns: { items: { type: "string" }, minItems: 1 },
            },
          },
        },
      },
    });
  });

  const name = "weather";
  const degrees = { type: "object", properties: { degrees: { type: "integer" } } } as const;
  const message = { role: "user", content: "The weather" } as const;
  test.each<readonly [what: string, path: string, body: JsonObject]>([
    [
      "a description of the schema",
      "/v1/chat/completions",
      {
        messages: [message],
        response_format: {
          type: "json_schema",
          json_schema: { name, schema: degrees, strict: true, description: "The weather" },
        },
      },
    ],
    [
      "a schema that isn't strict",
      "/v1/chat/completions",
      {
        messages: [message],
        response_format: { type: "json_schema", json_schema: { name, schema: degrees } },
      },
    ],
    [
      "a word about length",
      "/v1/responses",
      {
        store: false,
        input: [message],
        text: {
          format: { type: "json_schema", name, schema: degrees, strict: true },
          verbosity: "low",
        },
      },
    ],
    [
      "the form of Claude's beta",
      "/v1/messages",
      {
        max_tokens: 1024,
        messages: [message],
        output_format: { type: "json_schema", schema: degrees },
      },
    ],
  ])("%s doesn't keep the schema from the model", async (_what, path, rest) => {
    const { sent } = await askFor("gemini-3.8-flash/low", path, { model: "m", ...rest });
    expect(sent[0]).toMatchObject({
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: degrees },
    });
  });

  test("asking for text isn't a field that is lost", async () => {
    const { ask, receipts } = openGateway({ fetch: emulate({}), model: "claude-opus-5-5" });
    const asked = { model: "m", messages: [message], response_format: { type: "text" } };
    await (await ask(post("/v1/chat/completions", { ...asked, seed: null }))).text();
    expect(receipts[0]?.notes).toEqual([]);
  });

  test("an answer that does not fit is the client's to judge: it is not asked for twice", async () => {
    const wanted = {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: false,
    };
    const { sent, told } = await askFor("claude-opus-5-5", "/v1/chat/completions", {
      model: "m",
      messages: [{ role: "user", content: "Who?" }],
      response_format: { type: "json_schema", json_schema: { name: "who", schema: wanted } },
    });
    expect(sent).toHaveLength(1);
    expect(told).not.toContain("again");
  });
});
