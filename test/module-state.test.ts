import { expect, test } from "vitest";
import { findModuleState } from "./module-state.ts";

test.each([
  ["a variable", "let count = 0;", ["count"]],
  ["an exported variable", "export let count: number | undefined;", ["count"]],
  [
    "a map that is written to",
    "const kept = new Map<string, number>(); kept.set('a', 1);",
    ["kept"],
  ],
  [
    "one written to in a function",
    "const kept = new WeakSet(); const f = (x: object) => kept.add(x);",
    ["kept"],
  ],
  [
    "a list that grows",
    "const all: string[] = []; export function f() { all.push('a'); }",
    ["all"],
  ],
  ["a field that is set", "const state = { at: 0 }; function f() { state.at = 1; }", ["state"]],
  [
    "a field that is counted up",
    "const state = { at: 0 }; function f() { state.at++; }",
    ["state"],
  ],
  [
    "a table",
    "const names = new Map([['a', 1]]); export const f = (x: string) => names.get(x);",
    [],
  ],
  [
    "what a function keeps for itself",
    "const f = () => { let at = 0; const m = new Map(); m.set(1, at++); };",
    [],
  ],
])("%s", (_, code, found) => {
  expect(findModuleState(code)).toEqual(found);
});
