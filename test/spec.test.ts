import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Ids of a list, as the first cells of its tables give them. */
const listed = (list: string): readonly string[] =>
  [
    ...readFileSync(join(root, `docs/spec/${list}.md`), "utf8").matchAll(
      /^\| ([A-Z][\w-]*\d) \|/gm,
    ),
  ].map(([, id]) => id!);

const lists = new Map(
  ["requirements", "decisions", "pain-points", "faults"].map((list) => [list, listed(list)]),
);
const known = [...lists.values()].flat();

/** The name handed to test, it, describe or contract, `.each(…)` included; and first cells of the tables they read. */
const named =
  /(?:\b(?:test|it|describe|contract)(?:\.\w+)*\(\s*|\)\(\s*|\[\s*|\b(?:name|id|ids):\s*)(?:"([^"\n]*)"|`([^`]*)`)/g;

/** `R14`, `P-A5`, and `R14 to R17` spelled out; a name that begins like `S17` has an id without its prefix. */
function* idsOf(name: string): Generator<string> {
  for (const [id] of name.matchAll(/(?<![\w.-])(?:[RD]|[PF]-[A-Z])\d{1,3}\b/g)) yield id;
  for (const [, letter, from, to] of name.matchAll(/\b([A-Z])(\d{1,3}) to \1(\d{1,3})\b/g))
    for (let number = Number(from); number <= Number(to); number++) yield `${letter}${number}`;
  yield* /^[A-Z]\d{1,2}(?=:? )/.exec(name) ?? [];
}

/** Every test, the cases that packages share, and what tests of `test/` stand on. */
function listTests(): readonly string[] {
  const under = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(folder, path),
    );
  const packages = readdirSync(join(root, "packages"));
  return [
    ...packages
      .flatMap((name) => under(join("packages", name, "src")))
      .filter((path) => /\.test\.tsx?$|\/testing\/[^/]+\.ts$/.test(path)),
    ...under("test").filter((path) => path.endsWith(".ts")),
  ].filter((path) => path !== join("test", "spec.test.ts"));
}

const shown = new Map<string, string>();
for (const path of listTests())
  for (const [, plain, template] of readFileSync(join(root, path), "utf8").matchAll(named))
    for (const id of idsOf(plain ?? template!)) shown.set(id, path);

test("ids are found in names, tables and ranges, and nowhere else", () => {
  const name = "R14 to R16, F-S3: no R2D2, nor DeepSeek-R1";
  expect([...new Set(idsOf(name))].toSorted()).toEqual(["F-S3", "R14", "R15", "R16"]);
  expect([...idsOf("S17: a prefix is missing")]).toEqual(["S17"]);
  expect(shown.get("R396")).toBe("packages/mull/src/dial/map.test.ts");
});

test("no id stands twice", () => {
  expect(known).toHaveLength(new Set(known).size);
  expect(known.length).toBeGreaterThan(600);
});

test("every id that a test names is in a list", () => {
  expect([...shown].filter(([id]) => !known.includes(id))).toEqual([]);
});

describe("every id has a test that names it", () => {
  test.each(["requirements", "pain-points", "faults"])("%s", (list) => {
    expect(lists.get(list)?.filter((id) => !shown.has(id))).toEqual([]);
  });
});
