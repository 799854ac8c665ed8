import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { apiSections } from "../scripts/api-sections.ts";
import { readPackages } from "../scripts/read-exports.ts";

const entries = readPackages().flatMap((each) => each.entries);
const namesOf = (entry: string): readonly string[] =>
  Object.values(apiSections[entry] ?? {}).flatMap((names) => names.split(" "));

const valuesOf = async (entry: string): Promise<readonly string[]> =>
  Object.keys((await import(entry)) as object);

describe("what the packages export is listed in scripts/api-sections.ts", () => {
  test("every entry of every package is listed, and nothing else", () => {
    expect(Object.keys(apiSections)).toEqual(entries.map(({ name }) => name));
  });

  test.each(entries)("$name exports exactly what is listed", async ({ name, exports }) => {
    expect([...exports.keys()].toSorted()).toEqual(namesOf(name).toSorted());
    const values = [...exports].flatMap(([exported, [found]]) => (found!.isType ? [] : [exported]));
    expect((await valuesOf(name)).toSorted()).toEqual(values.toSorted());
  });

  test("the README of the library names every entry", () => {
    const rows = readFileSync("packages/mull/README.md", "utf8").matchAll(/^\| (`mull.*?) \|/gm);
    const named = [...rows].flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", "));
    const library = entries.map(({ name }) => name).filter((name) => !name.startsWith("@"));
    expect(named.toSorted()).toEqual(library.toSorted());
  });

  test("no wire, rule or helper of ours is in the main entry", () => {
    const builders = new Set([...namesOf("mull/wire"), ...namesOf("mull/rules")]);
    expect(namesOf("mull").filter((name) => builders.has(name))).toEqual([]);
  });
});

describe("every export says what it is", () => {
  test.each(entries)(
    "$name has a sentence, and so has each of its exports",
    ({ lead, exports }) => {
      expect(lead).toMatch(/^[A-Z`].{20,}\.$/);
      const bare = [...exports].flatMap(([name, [found]]) =>
        /^[A-Z`][^]{10,}\.$/.test(found!.comment) && !/^The same\b/.test(found!.comment)
          ? []
          : [`${name}: ${found!.comment}`],
      );
      expect(bare).toEqual([]);
    },
  );
});

test("docs/guides/migrating.md: every moved name is exported where the table says", async () => {
  const guide = readFileSync("docs/guides/migrating.md", "utf8");
  const [, section = ""] = guide.split("\n## Moved names\n");
  const rows = [...section.matchAll(/^\| (`.+) \| `([^`]+)` \|$/gm)].map(
    ([, names = "", entry = ""]) =>
      [
        [...names.replace(/\(.*?\)/g, "").matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
        entry,
      ] as const,
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const [names, entry] of rows) {
    expect(await valuesOf(entry)).toEqual(expect.arrayContaining([...names]));
    expect((await valuesOf("mull")).filter((name) => names.includes(name))).toEqual([]);
  }
});
