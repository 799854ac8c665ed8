import type { Model } from "../../../types/model.ts";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import { nearestWord, type RuleFault } from "./define-rule.ts";

/** `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`: how OpenAI lists allowed values. */
export function listValues(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.slice(-1).join("")}`;
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};

/** A value as the service writes it in a message. */
export const show = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

export const missing = (path: string): RuleFault => ({
  path,
  message: `Missing required parameter: '${path}'.`,
  code: "missing_required_parameter",
});

export const wrongType = (path: string, expected: string, value: unknown): RuleFault => ({
  path,
  message: `Invalid type for '${path}': expected ${expected}, but got ${kindOf(value)} instead.`,
  code: "invalid_type",
});

/** Switches that are neither true nor false. */
export const findSwitches = (body: JsonObject, names: readonly string[]): readonly RuleFault[] =>
  names
    .filter((name) => body[name] != null && typeof body[name] !== "boolean")
    .map((name) => wrongType(name, "a boolean", body[name]));

export const invalidValue = (
  path: string,
  value: JsonValue | undefined,
  allowed: readonly string[],
): RuleFault => ({
  path,
  message: `Invalid value: '${show(value)}'. Supported values are: ${listValues(allowed)}.`,
  code: "invalid_value",
});

export const unsupported = (path: string, hint = ""): RuleFault => ({
  path,
  message: `Unsupported parameter: '${path}' is not supported with this model.${hint}`,
  code: "unsupported_parameter",
});

export const unknownParameter = (path: string): RuleFault => ({
  path,
  message: `Unknown parameter: '${path}'.`,
  code: "unknown_parameter",
});

export const tooLong = (path: string, most: number, length: number): RuleFault => ({
  path,
  message: `Invalid '${path}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
  code: "string_above_max_length",
});

/** What is wrong with a number that has bounds. */
export function outOfRange(
  path: string,
  kind: "integer" | "decimal",
  value: number,
  least: number,
  most: number,
): RuleFault | undefined {
  if (value >= least && value <= most) return undefined;
  const isLow = value < least;
  const words = isLow ? "below minimum" : "above maximum";
  const bound = isLow ? `>= ${least}` : `<= ${most}`;
  return {
    path,
    message: `Invalid '${path}': ${kind} ${words} value. Expected a value ${bound}, but got ${value} instead.`,
    code: `${kind}_${isLow ? "below_min" : "above_max"}_value`,
  };
}

/** What is wrong with the name of a function. */
export function badName(path: string, name: string): RuleFault | undefined {
  if (name.length > 64) return tooLong(path, 64, name.length);
  if (/^[\w-]+$/.test(name)) return undefined;
  const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  return { path, message, code: "invalid_value" };
}

/** A refusal of an effort names it, and those that are taken. */
export const effortRefusal: RegExp =
  /(?:reasoning_effort' does not support '([^']+)'|value: '([^']+)' is not supported with).*Supported values are: (.+)/;

/** The nearest of the efforts that the refusal lists. */
export const effortNamed = (
  [, word, other, list = ""]: RegExpExecArray,
  order: readonly string[],
): string | undefined =>
  nearestWord(
    (word ?? other)!,
    [...list.matchAll(/'([^']+)'/g)].map((match) => match[1]!),
    order,
  );

/** A refusal that names a sampling parameter. */
export const samplingRefusal: RegExp =
  /Unsupported (?:parameter|value): '(temperature|top_p|logprobs|top_logprobs|presence_penalty|frequency_penalty)'/;

/** The efforts a model takes; none if it has no effort. */
export const effortsOf = ({ thinking }: Model): readonly string[] =>
  thinking.kind === "effort" ? thinking.efforts : [];
