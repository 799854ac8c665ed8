import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** What a module loads before its first line runs. Type imports and dynamic imports don't count. */
const loadedBy = (source: string): readonly string[] =>
  [
    ...source.matchAll(/^(?:import|export) (?!type )[^"';]*?from "([^"]+)"|^import "([^"]+)"/gm),
  ].map((match) => match[1] ?? match[2] ?? "");

/** Every module that an entry loads, and every package. */
function loadedFrom(entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    if (!path.endsWith(".ts")) continue;
    const folder = dirname(path);
    for (const name of loadedBy(readFileSync(join(import.meta.dirname, path), "utf8"))) {
      loaded.add(name.startsWith(".") ? join(folder, name) : name);
    }
  }
  return loaded;
}

const engines = /^(?:pg|@electric-sql\/pglite)$/;

test("R163: no entry loads an engine before it is asked for", () => {
  for (const entry of ["index.ts", "jsonl/index.ts", "parts.ts"]) {
    expect([...loadedFrom(entry)].filter((name) => engines.test(name))).toEqual([]);
  }
  expect(loadedFrom("pglite/worker.ts")).toContain("@electric-sql/pglite");
});

test.each([
  ["jsonl/index.ts", "jsonl/conversation.ts"],
  ["parts.ts", "branch.ts"],
])("R163: %s loads nothing that only a database needs", (entry, own) => {
  const loaded = [...loadedFrom(entry)];
  expect(loaded).toContain(own);
  expect(loaded.filter((path) => /^(?:postgres|pglite)\//.test(path))).toEqual([]);
});
