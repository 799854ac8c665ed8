import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

const sources = readdirSync(join(root, "packages"))
  .flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true }),
  )
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .filter(({ name, parentPath }) => !/\.test\.tsx?$/.test(name) && !/\btesting\b/.test(parentPath))
  .map(({ name, parentPath }) => join(parentPath, name));

const glossary = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
  .split("## Glossary")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .flatMap((line) => /^\| ([a-z ]+) \| /.exec(line)?.[1] ?? [])
  .filter((word) => word !== "word");

test("the glossary has at most 25 words, each once", () => {
  expect(glossary.length).toBeGreaterThan(15);
  expect(glossary.length).toBeLessThanOrEqual(25);
  expect(new Set(glossary).size).toBe(glossary.length);
});

/** Their types describe the JSON or the cassettes of other packages, which they may not import. */
const mirrors = new Set(["ui-messages", "vcr", "web"]);

/** Wires are siblings: each has its own `Writing`, and they never import each other. */
const roomOf = (path: string): string => path.replace(/(?<=mull\/src\/wire\/)(?!common).*/, "*");

/** Two packages listen on a port, in the same way. */
const sameThing = new Set(["ListenOptions", "Listening"]);

// `Answer` meant four things in four files, `Step` eight: a reader had to look each one up.
test("a type name is declared in one place only", () => {
  const places = new Map<string, Set<string>>();
  for (const path of sources.map((each) => relative(join(root, "packages"), each))) {
    if (mirrors.has(path.split(sep)[0]!)) continue;
    const text = readFileSync(join(root, "packages", path), "utf8");
    for (const [, name] of text.matchAll(/^(?:export )?(?:interface|type|class) ([A-Z]\w*)/gm))
      places.set(name!, (places.get(name!) ?? new Set()).add(roomOf(path.split(sep).join("/"))));
  }
  const shared = [...places].filter(([name, paths]) => paths.size > 1 && !sameThing.has(name));
  expect(shared.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`)).toEqual([]);
});

test("every file of the five walks exists", () => {
  const walks = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
    .split("## Five walks")[1]!
    .split("\n## ")[0]!
    .split("\n- ")
    .slice(1);
  expect(walks).toHaveLength(5);
  const missing = walks.flatMap((walk) => {
    const [folder, ...files] = [...walk.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    return files.filter((file) => !existsSync(join(root, folder!, file)));
  });
  expect(missing).toEqual([]);
});
