import { rulesOf } from "mull/rules";
import { wireIds } from "mull/wire";
import { describe, expect, test } from "vitest";

describe("the page of rules", () => {
  test("every rule has an id of its own and a sentence", () => {
    const allRules = wireIds.flatMap(rulesOf);
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
    expect(allRules.filter(({ summary }) => !/^\S.*\.$/.test(summary))).toEqual([]);
  });
});
