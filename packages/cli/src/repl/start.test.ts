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

test("ux 3: the prompt is on the screen before library, lexer, widths and store are loaded", () => {
  for (const name of ["index.ts", "live-repl.ts", "node-terminal.ts"]) {
    const loaded = loadedBy(fileURLToPath(new URL(name, import.meta.url)));
    const packages = [...loaded].filter(
      (module) => !module.startsWith("/") && !module.startsWith("node:"),
    );
    expect(packages).toEqual([]);
  }
});
