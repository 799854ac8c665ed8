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

/** An object that is still growing: every field may be missing yet. */
export type DeepPartial<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
      : T;

/** Whether a value is an object and not an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The named fields that are there: for a wire, absent and undefined are not the same. */
export function pick<T extends object, K extends keyof T>(
  source: T,
  names: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) if (source[name] !== undefined) picked[name] = source[name];
  return picked as { [P in K]?: Exclude<T[P], undefined> };
}
