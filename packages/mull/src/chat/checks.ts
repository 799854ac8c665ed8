import { checkNames } from "../types/check-names.ts";
import { invalidArgument } from "../types/error.ts";
import { isJsonObject, type JsonObject } from "../types/json.ts";
import { limits } from "../wire/common/limits.ts";

/** Refuses a value in words that name its field. */
export type OptionCheck = (value: unknown, field: string) => void;
export type Checks = Readonly<Record<string, OptionCheck>>;

export const is =
  (isGood: (value: unknown) => boolean, allowed: string | readonly string[]): OptionCheck =>
  (value, field) => {
    if (!isGood(value)) throw invalidArgument(field, value, allowed);
  };

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && value >= least && value <= most;
const hasMethod = (value: unknown, name: string): boolean =>
  isJsonObject(value) && typeof value[name] === "function";

export const anything: OptionCheck = () => undefined;
export const anObject: OptionCheck = is(isJsonObject, "an object");
export const aFunction: OptionCheck = is((value) => typeof value === "function", "a function");
export const aBoolean: OptionCheck = is((value) => typeof value === "boolean", "true or false");
export const aText: OptionCheck = is(isText, "a string");
export const texts: OptionCheck = is(
  (value) => Array.isArray(value) && value.every(isText),
  "a list of texts",
);
export const aNumber: OptionCheck = is((value) => isNumber(value, 0, Infinity), "a number from 0");
export const numberTo = (most: number): OptionCheck =>
  is((value) => isNumber(value, 0, most), `a number from 0 to ${most}`);
export const countFrom = (least: number): OptionCheck =>
  is(
    (value) => Number.isSafeInteger(value) && isNumber(value, least, Infinity),
    `a whole number from ${least}`,
  );
export const oneOf = (words: readonly string[]): OptionCheck =>
  is((value) => isText(value) && words.includes(value as string), words);
export const aList = (
  allowed: string,
  isItem: (item: unknown) => boolean = () => true,
): OptionCheck => is((value) => Array.isArray(value) && value.every(isItem), allowed);

/** A `Headers` or a list of pairs is checked later, where it is read: an iterator can be read only once. */
export const headerFields: OptionCheck = is(
  (value) =>
    Array.isArray(value) ||
    (isJsonObject(value) && (Symbol.iterator in value || Object.values(value).every(isText))),
  "texts by name, a Headers, a Map or pairs",
);
export const aSignal: OptionCheck = is(
  (value) => isJsonObject(value) && "aborted" in value,
  "an AbortSignal",
);
export const aBudget: OptionCheck = is(
  (value) => hasMethod(value, "take") && hasMethod(value, "refill"),
  "what createRetryBudget returns",
);

/** Whether no surrogate pair is cut in half. All runtimes have the method; TypeScript lists it only from ES2024 on. */
const isWellFormed = (text: string): boolean =>
  (text as string & { readonly isWellFormed: () => boolean }).isWellFormed();

export const words: OptionCheck = is(
  (value) => isText(value) && isWellFormed(value as string),
  "text without lone surrogates (half of a character)",
);

/** Only plain JSON goes over a wire; a `__proto__` key would change the object it is merged into. */
const plainJson: OptionCheck = (root, field) => {
  // The objects around the value being checked. One object in two fields side by side is no cycle.
  const around: object[] = [];
  const check = (value: unknown): void => {
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
      throw invalidArgument(field, typeof value, "plain JSON");
    }
    if (typeof value === "string") words(value, field);
    if (typeof value !== "object" || value === null) return;
    if (around.includes(value)) throw invalidArgument(field, "a cycle", "plain JSON");
    if (Object.hasOwn(value, "__proto__")) {
      throw invalidArgument(field, "__proto__", "plain JSON without a __proto__ key");
    }
    if (around.push(value) > limits.jsonDepth) {
      throw invalidArgument(
        field,
        "a deeper one",
        `nested at most ${limits.jsonDepth} levels deep`,
      );
    }
    Object.values(value).forEach(check);
    around.pop();
  };
  check(root);
};

export const plainObject: OptionCheck = (value, field) => {
  anObject(value, field);
  plainJson(value, field);
};

export function checkSchema(field: string, schema: unknown): asserts schema is JsonObject {
  if (!isJsonObject(schema)) throw invalidArgument(field, schema, "a JSON Schema object");
  plainJson(schema, field);
}

/** Refuses misspelt names and wrong values. What is undefined is absent. */
export function checkEach(what: string, given: object, checks: Checks, path = ""): void {
  checkNames(what, given, checks);
  for (const name of Object.keys(checks)) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined) checks[name]!(value, path + name);
  }
}

/** An object whose fields have names and checks of their own. */
export const fields =
  (checks: Checks): OptionCheck =>
  (value, field) => {
    anObject(value, field);
    checkEach(field, value as object, checks, `${field}.`);
  };
