import { invalidArgument } from "../types/error.ts";
import { isJsonObject, type JsonObject } from "../types/json.ts";
import type { OutputWish } from "../types/request.ts";
import { isStandardSchema } from "../types/standard-schema.ts";
import { aBoolean, aText, checkEach, checkSchema, countFrom, type OptionCheck } from "./checks.ts";
import { jsonSchemaOf, refuseUncheckable } from "./json-schema.ts";

/** The JSON Schema of an answer that is to be an object. */
export function outputSchema({ schema, jsonSchema }: OutputWish): JsonObject {
  if (jsonSchema !== undefined) return jsonSchema;
  if (!isStandardSchema(schema)) return schema as JsonObject;
  const field = "output.schema";
  const written = jsonSchemaOf(schema, field, "output.jsonSchema");
  checkSchema(field, written);
  return written;
}

const schemaToSend: OptionCheck = (value, field) => checkSchema(field, value);

/** What a Standard Schema writes is checked when it has written it. */
const ownSchema: OptionCheck = (value, field) => {
  if (isStandardSchema(value)) return;
  checkSchema(field, value);
  refuseUncheckable(value, field);
};

const outputChecks = {
  name: aText,
  schema: ownSchema,
  jsonSchema: schemaToSend,
  retries: countFrom(0),
  check: aBoolean,
};

/** A schema that isn't checked here may use every keyword that the service knows. */
const uncheckedOutput = { ...outputChecks, schema: schemaToSend };

/** Looks at a wish for an object before anything is sent. */
export const anOutput: OptionCheck = (value, field) => {
  const wish: unknown = value;
  if (!isJsonObject(wish) || wish["schema"] === undefined)
    // A JSON Schema is an object, too, so `output: { type: "object" }` is a likely slip.
    throw invalidArgument(`${field}.schema`, undefined, "output: { schema: a JSON Schema }");
  else
    checkEach(field, wish, wish["check"] === false ? uncheckedOutput : outputChecks, `${field}.`);
};
