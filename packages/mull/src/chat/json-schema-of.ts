import { invalidArgument, wrongArgument } from "../types/error.ts";
import type { StandardSchema } from "../types/standard-schema.ts";

/** The JSON Schema of a Standard Schema. `beside` names the option that can give one instead. */
export function jsonSchemaOf(schema: StandardSchema, field: string, beside: string): unknown {
  const written = askFor(schema, field, beside);
  if (written !== undefined) return written;
  const allowed = `a JSON Schema in ${beside}: this Standard Schema cannot give one itself`;
  throw invalidArgument(field, undefined, allowed);
}

/** Schemas of dates, maps and transforms have no JSON Schema: the schema library throws for them. */
function askFor(schema: StandardSchema, field: string, beside: string): unknown {
  try {
    return schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw wrongArgument(`${field}: the schema cannot be written as JSON Schema: ${why}`, field, {
      fix: `use types that JSON has, or give a JSON Schema in ${beside}`,
    });
  }
}
