import { expect, test } from "vitest";
import { readFormula } from "./read-formula.ts";

test.each([
  ["$x^2$", { tex: "x^2", isDisplay: false }],
  ["\\(a + b\\)", { tex: "a + b", isDisplay: false }],
  ["\\[\n\\frac{1}{2}\n\\]", { tex: "\\frac{1}{2}", isDisplay: true }],
  ["  $$ y $$\n", { tex: "y", isDisplay: true }],
  ["$$$$", undefined],
  ["plain", undefined],
  [`$${"x".repeat(5000)}$`, undefined],
])("a formula without its signs: %j", (text, expected) => {
  expect(readFormula(text)).toEqual(expected);
});
