import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";
import { tryParse } from "./json-reading.ts";
import { limits } from "./limits.ts";

export interface ToolInput {
  readonly input: JsonValue;
  readonly inputText?: string;
  readonly invalid?: { readonly raw: string; readonly reason: string };
}

/**
 * Reads the arguments of a function call. What is not a JSON object, or nested deeper than
 * `JSON.stringify` can write again, comes back as `invalid` with the text as it arrived. The text
 * stays with a value that would be written differently: `1.0`, `12345678901234567890`, a key twice.
 */
export function parseToolInput(raw: string): ToolInput {
  const read = parseObject(raw);
  if (read.invalid !== undefined || raw.trim() === "") return read;
  return JSON.stringify(read.input) === raw ? read : { ...read, inputText: raw };
}

/** The arguments as they arrived, unless a program changed `input` since. */
export function inputTextOf({ input, inputText }: ToolInput): string | undefined {
  if (typeof inputText !== "string") return undefined;
  const { input: meant, invalid: broken } = parseObject(inputText);
  return broken === undefined && isSame(meant, input) ? inputText : undefined;
}

/** The arguments as a JSON string. */
export const writeInput = (call: ToolInput): string =>
  inputTextOf(call) ?? JSON.stringify(call.input);

/** Stores may give back the keys of an object in another order, and `1e400`, which is read as Infinity, as null. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return a === b || (b === null && JSON.stringify(a) === "null");
  const keys = Object.keys(a);
  const fields = b as JsonObject;
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame((a as JsonObject)[key], fields[key]))
  );
}

/** Parses a text that should be a JSON object. */
export function parseObject(raw: string): ToolInput {
  if (raw.trim() === "") return { input: {} };
  const value = tryParse(raw);
  if (value === undefined) return invalid(raw, "arguments are not valid JSON");
  if (!isJsonObject(value)) return invalid(raw, "arguments are not a JSON object");
  return raw.length > limits.jsonDepth && isTooDeep(value, limits.jsonDepth)
    ? invalid(raw, tooDeep)
    : { input: value };
}

/** Checks arguments that a service sent as a JSON value, as `parseToolInput` does for text. */
export function checkToolInput(value: unknown): ToolInput {
  if (value === undefined || value === null) return { input: {} };
  if (!isJsonObject(value)) {
    const raw = typeof value === "string" ? value : JSON.stringify(value);
    return invalid(raw, "arguments are not a JSON object");
  }
  return isTooDeep(value, limits.jsonDepth) ? invalid("", tooDeep) : { input: value };
}

const invalid = (raw: string, reason: string): ToolInput => ({
  input: {},
  invalid: { raw, reason },
});

const tooDeep = `arguments are nested deeper than ${limits.jsonDepth} levels`;

/** Walks level by level: recursion over a value with 100,000 levels would overflow the stack. */
export function isTooDeep(root: JsonObject, limit: number): boolean {
  let row: readonly object[] = [root];
  for (let depth = 0; row.length > 0; depth++) {
    if (depth === limit) return true;
    const inner: object[] = [];
    for (const object of row) {
      for (const value of Object.values(object) as unknown[]) {
        if (typeof value === "object" && value !== null) inner.push(value);
      }
    }
    row = inner;
  }
  return false;
}
