import { isJsonObject, type JsonObject } from "../types/json.ts";
import type { RuleInput } from "../types/rule.ts";

/**
 * What rules read of a body, made once for all of them that look at one input. Kept by the input and
 * not by the body: a body may be changed in place between two runs, an input is made for each.
 */
export function viewOnce<V>(make: (body: JsonObject) => V): (input: RuleInput) => V {
  const views = new WeakMap<RuleInput, { readonly view: V }>();
  return (input) => {
    const known = views.get(input);
    if (known !== undefined) return known.view;
    const view = make(input.body);
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
