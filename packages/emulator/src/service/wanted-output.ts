import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue, WireId } from "mull";

import { listIn, objectIn, textIn } from "./service.ts";

/** JSON without a schema was asked for: an object that holds the answer. */
const anyObject: JsonObject = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
};

const ofFormat = (
  type: JsonValue | undefined,
  schema: JsonValue | undefined,
): JsonObject | undefined => {
  if (type === "json_object") return anyObject;
  return type === "json_schema" && isJsonObject(schema) ? schema : undefined;
};

/** Google's clients write names in camel case or in snake case. */
const googleField = (config: JsonObject, name: string): JsonValue | undefined =>
  config[name] ?? config[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

interface GoogleOutput {
  readonly type: JsonValue | undefined;
  readonly schema: JsonObject | undefined;
}

const googleOutput = (body: JsonObject): GoogleOutput => {
  const config = objectIn(googleField(body, "generationConfig"));
  const schema = googleField(config, "responseJsonSchema") ?? googleField(config, "responseSchema");
  const type = googleField(config, "responseMimeType");
  return { type, schema: isJsonObject(schema) ? schema : undefined };
};

/** One of the values of an enum, as plain text. */
const enumType = "text/x.enum";

export const isBare = (body: JsonObject): boolean => {
  const { type, schema } = googleOutput(body);
  return type === enumType && schema !== undefined;
};

/** What the system prompt says of the answer: a schema in words, for models whose service takes none. */
function toldSchema(prompt: JsonValue | undefined): JsonObject | undefined {
  const texts = listIn(prompt).map((part) => textIn(objectIn(part)["text"] ?? part));
  const [, told = ""] = /JSON Schema:\s*(\{[\s\S]*\})\s*$/.exec(texts.join("\n")) ?? [];
  try {
    return objectIn(JSON.parse(told) as JsonValue);
  } catch {
    return undefined;
  }
}

const googleSchema = (body: JsonObject): JsonObject | undefined => {
  const { type, schema } = googleOutput(body);
  if (type === enumType) return schema;
  const told = toldSchema(objectIn(googleField(body, "systemInstruction"))["parts"]);
  return type === "application/json" ? (schema ?? told ?? anyObject) : told;
};

const chatSchema = (body: JsonObject): JsonObject | undefined => {
  const { type, json_schema: named } = objectIn(body["response_format"]);
  const wanted = ofFormat(type, objectIn(named)["schema"]);
  if (wanted !== anyObject) return wanted;
  const [first] = listIn(body["messages"]).map(objectIn);
  const { content } = first ?? {};
  return toldSchema(Array.isArray(content) ? content : [content ?? ""]) ?? anyObject;
};

const readers: Readonly<Record<WireId, (body: JsonObject) => JsonObject | undefined>> = {
  "anthropic-messages": (body) => {
    const { type, schema } = objectIn(
      objectIn(body["output_config"])["format"] ?? body["output_format"],
    );
    return ofFormat(type, schema);
  },
  "openai-responses": (body) => {
    const { type, schema } = objectIn(objectIn(body["text"])["format"]);
    return ofFormat(type, schema);
  },
  "openai-chat": chatSchema,
  "google-generate": googleSchema,
};

/**
 * The schema that an answer has to fit, in every spelling the service takes. The library's own reader
 * keeps only spellings that it can write back.
 */
export const wantedOutput = (wire: WireId, body: JsonObject): JsonObject | undefined =>
  readers[wire](body);
