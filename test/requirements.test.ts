import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** A list of ids, and the tests whose names may show them. Some letters mean different things in different places. */
interface Family {
  readonly what: string;
  readonly letter: string;
  readonly numbers: readonly number[];
  readonly where: RegExp;
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1);

const anywhere = /^/;

/** Habits of another project's task runner, no part of this product. */
const notOurs = new Set([385, 386]);

const requirements: readonly Family[] = [
  { what: "levels", letter: "R", numbers: upTo(13), where: /\/(?:dial|thinking)\// },
  {
    what: "requirement",
    letter: "R",
    numbers: upTo(396).filter((number) => number > 13 && !notOurs.has(number)),
    where: anywhere,
  },
];

const faults: readonly Family[] = [
  {
    what: "network",
    letter: "F-N",
    numbers: [1, 2, 3, 4, 6, 7, 8, 10, 12, 14, 15, 17, 18, 20],
    where: anywhere,
  },
  {
    what: "retry",
    letter: "F-R",
    numbers: [1, 2, 3, 5, 6, 7, 8, 10, 11, 12],
    where: anywhere,
  },
  {
    what: "stream",
    letter: "F-S",
    numbers: [1, 2, 3, 4, 5, 6, 8, 9, 11, 14, 15, 16, 17, 18, 20, 21, 23],
    where: anywhere,
  },
  {
    what: "abort",
    letter: "F-A",
    numbers: [1, 2, 4, 5, 8],
    where: anywhere,
  },
  { what: "tools", letter: "F-K", numbers: [1, 2, 3, 4, 6, 8], where: anywhere },
  { what: "history", letter: "F-H", numbers: [1, 2, 3, 4, 6], where: anywhere },
  {
    what: "durability",
    letter: "F-D",
    numbers: [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 14, 15, 16],
    where: anywhere,
  },
  { what: "recording", letter: "F-V", numbers: [1, 3, 4, 5, 6, 8], where: anywhere },
  {
    what: "server and page",
    letter: "F-W",
    numbers: [1, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 25],
    where: anywhere,
  },
  { what: "command line", letter: "F-C", numbers: [1, 3, 5], where: anywhere },
  { what: "supply chain", letter: "F-X", numbers: [1, 2, 3], where: anywhere },
];

const points: readonly Family[] = [
  {
    what: "Anthropic blocks",
    letter: "P-A",
    numbers: upTo(15),
    where: anywhere,
  },
  { what: "parameters", letter: "P-B", numbers: upTo(13), where: anywhere },
  { what: "OpenAI items", letter: "P-C", numbers: upTo(7), where: anywhere },
  {
    what: "shown thinking",
    letter: "P-D",
    numbers: upTo(6),
    where: anywhere,
  },
  { what: "streams", letter: "P-E", numbers: upTo(8), where: anywhere },
  { what: "Gemini signatures", letter: "P-F", numbers: upTo(7), where: anywhere },
  {
    what: "switching",
    letter: "P-G",
    numbers: upTo(6),
    where: anywhere,
  },
  { what: "accounting", letter: "P-H", numbers: upTo(4), where: anywhere },
  { what: "persistence", letter: "P-I", numbers: upTo(6), where: anywhere },
  { what: "mocks", letter: "P-J", numbers: upTo(6), where: anywhere },
];

/** The name handed to test, it, describe or contract, `.each(…)` included; and first cells of the tables they read. */
const named =
  /(?:\b(?:test|it|describe|contract)(?:\.\w+)*\(\s*|\)\(\s*|\[\s*|\b(?:name|id|ids):\s*)(?:"([^"\n]*)"|`([^`]*)`)/g;

/** `R14`, and `R14 to R17` spelled out. */
function* idsOf(name: string): Generator<string> {
  for (const [id] of name.matchAll(/(?<![\w-])(?:[FP]-)?[A-Z]\d{1,3}\b/g)) yield id;
  for (const [, letter, from, to] of name.matchAll(/\b([A-Z])(\d{1,3}) to \1(\d{1,3})\b/g))
    for (let number = Number(from); number <= Number(to); number++) yield `${letter}${number}`;
}

/** Every test, and what tests of `test/` stand on: tables of cases may be files of their own. */
function listTests(): readonly string[] {
  const under = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(folder, path),
    );
  const packages = readdirSync(join(root, "packages"));
  return [
    ...packages
      .flatMap((name) => under(join("packages", name, "src")))
      .filter((path) => /\.test\.tsx?$/.test(path)),
    ...under("test").filter((path) => path.endsWith(".ts")),
  ].map((path) => relative(root, join(root, path)).split(sep).join("/"));
}

function collectShown(): ReadonlyMap<string, ReadonlySet<string>> {
  const shown = new Map<string, Set<string>>();
  for (const path of listTests())
    for (const [, plain, template] of readFileSync(join(root, path), "utf8").matchAll(named))
      for (const id of idsOf(plain ?? template!)) {
        const places = shown.get(id) ?? new Set<string>();
        shown.set(id, places.add(path));
      }
  return shown;
}

const shown = collectShown();

test("ids are found in names, tables and ranges, and nowhere else", () => {
  expect([...idsOf("R14 to R16, F-S3: no R2D2")]).toEqual([
    "R14",
    "R16",
    "F-S3",
    "R14",
    "R15",
    "R16",
  ]);
  expect(shown.get("R385")).toBeUndefined();
  expect([...(shown.get("R14") ?? [])]).toContain("packages/mull/src/dial/map.test.ts");
});

const missingOf = ({ letter, numbers, where }: Family): readonly string[] =>
  numbers
    .map((number) => `${letter}${number}`)
    .filter((id) => ![...(shown.get(id) ?? [])].some((path) => where.test(path)));

describe.each([
  ["requirement", requirements],
  ["fault", faults],
  ["pain point", points],
] as const)("every %s has a test that names it", (_kind, families) => {
  test.each(families)("$what ($letter)", (family) => {
    expect(missingOf(family)).toEqual([]);
  });
});
