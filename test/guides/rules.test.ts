import { allRules } from "mull/rules";
import { describe, expect, test } from "vitest";

describe("the page of rules", () => {
  test("every rule has an id of its own and a sentence", () => {
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
    expect(allRules.filter(({ summary }) => !/^\S.*\.$/.test(summary))).toEqual([]);
  });
});
