/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** A JSON object. An `undefined` field counts as absent. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** A JSON object under construction. Hand it out as `JsonObject`. */
export type MutableJsonObject = { [key: string]: JsonValue | undefined };

/** Whether a value is an object and not an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
