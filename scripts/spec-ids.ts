import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "..");

export const specLists = ["requirements", "decisions", "pain-points", "faults"] as const;

/** Ids of a list of docs/spec, as the first cells of its tables give them. */
export const idsIn = (list: (typeof specLists)[number]): readonly string[] => {
  const text = readFileSync(join(root, `docs/spec/${list}.md`), "utf8");
  return [...text.matchAll(/^\| ([A-Z][\w-]*\d) \|/gm)].map(([, id]) => id!);
};

/** `R14`, `P-A5`, and `R14 to R17` spelled out; a name that begins like `S17` has an id without its prefix. */
export function* idsOf(name: string): Generator<string> {
  for (const [id] of name.matchAll(/(?<![\w.-])(?:[RD]|[PF]-[A-Z])\d{1,3}\b/g)) yield id;
  for (const [, letter, from, to] of name.matchAll(/\b([A-Z])(\d{1,3}) to \1(\d{1,3})\b/g))
    for (let number = Number(from); number <= Number(to); number++) yield `${letter}${number}`;
  yield* /^[A-Z]\d{1,2}(?=:? )/.exec(name) ?? [];
}

/** The name handed to test, it, describe or contract, `.each(…)` included; and first cells of the tables they read. */
const named =
  /(?:\b(?:test|it|describe|contract)(?:\.\w+)*\(\s*|\)\(\s*|\[\s*|\b(?:name|id|ids):\s*)(?:"([^"\n]*)"|`([^`]*)`)/g;

const under = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(folder, path).split(sep).join("/"),
  );

/** Every test, the cases that packages share, and what tests of `test/` stand on. */
const listTests = (): readonly string[] => [
  ...readdirSync(join(root, "packages"))
    .flatMap((name) => under(`packages/${name}/src`))
    .filter((path) => /\.test\.tsx?$|\/testing\/[^/]+\.ts$/.test(path)),
  ...under("test").filter((path) => path.endsWith(".ts") && path !== "test/spec.test.ts"),
];

/** Where each id is named by a test. */
export function testsById(): ReadonlyMap<string, ReadonlySet<string>> {
  const shown = new Map<string, Set<string>>();
  for (const path of listTests())
    for (const [, plain, template] of readFileSync(join(root, path), "utf8").matchAll(named))
      for (const id of idsOf(plain ?? template!))
        shown.set(id, (shown.get(id) ?? new Set()).add(path));
  return shown;
}
