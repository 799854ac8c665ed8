import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allRules } from "mull/rules";
import { describe, expect, test } from "vitest";
import { rulesPage } from "../../scripts/rules-page.ts";

describe("the page of rules", () => {
  test("is what the rules say; write it with: npx tsx scripts/docs-rules.ts", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/rules.md"), "utf8");
    expect(page).toBe(rulesPage());
  });

  test("every rule has an id of its own and a sentence", () => {
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
    expect(allRules.filter(({ summary }) => !/^\S.*\.$/.test(summary))).toEqual([]);
  });
});
