import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";
import type { RuleInput } from "../../types/rule.ts";

/**
 * What rules read of a body, made once for all of them that look at one input. Kept by the input and
 * not by the body: a body may be changed in place between two runs, an input is made for each.
 */
export function viewOnce<V>(
  make: (body: JsonObject, input: RuleInput) => V,
): (input: RuleInput) => V {
  const views = new WeakMap<RuleInput, { readonly view: V }>();
  return (input) => {
    const known = views.get(input);
    if (known !== undefined) return known.view;
    const view = make(input.body, input);
    views.set(input, { view });
    return view;
  };
}

const nothing: readonly never[] = [];

/** A `flatMap` for long lists that are nearly always fine: it is many times faster on those. */
export function findAll<T, F>(
  list: readonly T[],
  find: (each: T, at: number) => readonly F[],
): readonly F[] {
  let all: F[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const found = find(list[at]!, at);
    if (found.length === 0) continue;
    all ??= [];
    for (const one of found) all.push(one);
  }
  return all ?? nothing;
}

/** The objects of a list: the list itself where it holds nothing else, since a copy takes longer than a rule. */
export const objectsIn = (list: readonly unknown[]): readonly JsonObject[] =>
  list.every(isJsonObject) ? list : list.filter(isJsonObject);

/**
 * A list with its objects changed, split or left out; `at` counts objects, as `objectsIn` does. What is
 * not an object stays: a bare string in a list of messages is refused, but somebody said it.
 */
export const mapObjectsIn = (
  list: JsonValue | undefined,
  change: (object: JsonObject, at: number) => JsonObject | readonly JsonObject[] | undefined,
): readonly JsonValue[] => {
  let at = 0;
  return (Array.isArray(list) ? list : list === undefined ? [] : [list]).flatMap(
    (each: JsonValue): readonly JsonValue[] => {
      if (!isJsonObject(each)) return [each];
      const changed = change(each, at++);
      return changed === undefined ? [] : isList(changed) ? changed : [changed];
    },
  );
};

const isList = (value: JsonObject | readonly JsonObject[]): value is readonly JsonObject[] =>
  Array.isArray(value);

/** Fields that hold a conversation or its instructions in one API or another. */
const spoken: ReadonlySet<string> = new Set([
  "contents",
  "content",
  "functionResponse",
  "function_response",
  "input",
  "instructions",
  "message",
  "messages",
  "output",
  "parts",
  "prompt",
  "system",
  "systemInstruction",
  "system_instruction",
  "text",
]);

/** Whether a field the service does not know holds somebody's words: no repair leaves those out. */
export const isSpoken = (name: string): boolean => spoken.has(name);
