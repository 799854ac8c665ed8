import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Modules a file loads before it runs, by following its static imports. */
function loadedBy(entry: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, "utf8");
    for (const [, name = ""] of source.matchAll(
      /^(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)";/gms,
    )) {
      if (name.startsWith(".")) visit(resolve(dirname(file), name));
      else seen.add(name);
    }
  };
  visit(entry);
  return seen;
}

/** What `mull` alone goes through up to its first paint, dynamic imports included. */
const wayToPrompt = [
  "../main.ts",
  "../commands/chat.ts",
  "index.ts",
  "terminal.ts",
  "live-repl.ts",
].map((name) => fileURLToPath(new URL(name, import.meta.url)));

const isOurs = (module: string): boolean => module.startsWith("/");

test("the prompt is on the screen before library, lexer, widths and store are loaded", () => {
  const loaded = [...new Set(wayToPrompt.flatMap((file) => [...loadedBy(file)]))];
  expect(loaded.filter((module) => !isOurs(module) && !module.startsWith("node:"))).toEqual([]);
  // Each file costs about 0.7 ms of CPU; 25 keep the prompt below 1.4 times a bare node.
  expect(loaded.filter(isOurs).length).toBeLessThanOrEqual(25);
});
