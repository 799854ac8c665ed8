import { wrongArgument } from "../types/error.ts";
import type { StandardSchema } from "../types/standard-schema.ts";

/** The JSON Schema of a Standard Schema. `beside` names the option that can give one instead. */
export function jsonSchemaOf(schema: StandardSchema, field: string, beside: string): unknown {
  const { jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined)
    throw wrongArgument(
      `${field}: the schema cannot write itself as JSON Schema. Give one in ${beside}; a valibot schema goes through toStandardJsonSchema of @valibot/to-json-schema.`,
      field,
    );
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    // Schemas of dates, maps and transforms have no JSON Schema: the schema library throws for them.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw wrongArgument(`${field}: the schema cannot be written as JSON Schema: ${why}`, field, {
      fix: `use types that JSON has, or give a JSON Schema in ${beside}`,
    });
  }
}
