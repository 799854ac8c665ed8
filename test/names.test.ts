import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
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
  .flatMap((line) => /^\| ([a-z]+) \| /.exec(line)?.[1] ?? [])
  .filter((word) => word !== "word");

test("the glossary has at most 25 words, each once", () => {
  expect(glossary.length).toBeGreaterThan(15);
  expect(glossary.length).toBeLessThanOrEqual(25);
  expect(new Set(glossary).size).toBe(glossary.length);
});

// `Answer` meant four things in four files, `Step` eight: a reader had to look each one up.
test("a type name is declared in one place only", () => {
  const places = new Map<string, string[]>();
  for (const path of sources) {
    const text = readFileSync(path, "utf8");
    for (const [, name] of text.matchAll(/^(?:export )?(?:interface|type|class) ([A-Z]\w*)/gm))
      places.set(name!, [...(places.get(name!) ?? []), relative(root, path)]);
  }
  const shared = [...places].filter(([, paths]) => new Set(paths).size > 1);
  expect(shared.map(([name, paths]) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});
