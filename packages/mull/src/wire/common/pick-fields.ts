import type { JsonObject } from "../../types/json.ts";

/** The named fields of a body, where it has them. */
export const pickFields = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );
