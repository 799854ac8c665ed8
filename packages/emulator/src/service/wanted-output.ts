import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue, WireId } from "mull";

import { objectIn } from "./service.ts";

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

const googleSchema = (body: JsonObject): JsonObject | undefined => {
  const { type, schema } = googleOutput(body);
  if (type === "application/json") return schema ?? anyObject;
  return type === enumType ? schema : undefined;
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
  "openai-chat": (body) => {
    const { type, json_schema: named } = objectIn(body["response_format"]);
    return ofFormat(type, objectIn(named)["schema"]);
  },
  "google-generate": googleSchema,
};

/**
 * The schema that an answer has to fit, in every spelling the service takes. The library's own reader
 * keeps only spellings that it can write back.
 */
export const wantedOutput = (wire: WireId, body: JsonObject): JsonObject | undefined =>
  readers[wire](body);
