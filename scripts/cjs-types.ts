import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readPackages, type Declaration } from "./read-exports.ts";

/**
 * Writes a `.d.cts` beside the `.d.ts` of every entry, for programs that `require` it under
 * `module: node16`: without one TypeScript refuses the import (TS1479), although Node loads the module.
 * They describe the same ES module by the same types, so that nothing exists twice. Another output
 * folder can be named for the library.
 */
const libraryFolder = process.argv[2] ?? "packages/mull/dist";

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
}

/** `Agent<T = unknown>` as `T = unknown` and `T`. */
function typeParametersOf({ name, text }: Declaration): readonly [given: string, used: string] {
  const head = new RegExp(`\\bclass ${name}<([^<>]+)>`).exec(text)?.[1];
  if (head === undefined) {
    if (new RegExp(`\\bclass ${name}<`).test(text))
      throw new Error(`${name}: its type parameters are more than names with defaults`);
    return ["", ""];
  }
  const names = head.split(",").map((each) => each.trim().split(/[\s=]/)[0]);
  return [`<${head}>`, `<${names.join(", ")}>`];
}

/** `exported` may be another name than the declared one: `export { CoreAgent as Agent }`. */
function describe(exported: string, declaration: Declaration): readonly string[] {
  const { name, isType, text } = declaration;
  if (isType) return [];
  const value = `export declare const ${exported}: typeof entry.${exported};`;
  if (!new RegExp(`\\bclass ${name}\\b`).test(text)) return [value];
  const [given, used] = typeParametersOf(declaration);
  return [value, `export type ${exported}${given} = entry.${exported}${used};`];
}

for (const { folder, name, entries } of readPackages()) {
  const place = join("packages", folder);
  const { exports } = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as Manifest;
  for (const entry of entries) {
    const { types } = exports[`.${entry.name.slice(name.length)}`]!;
    const file = basename(types).replace(/\.d\.ts$/, ".js");
    const from = `"./${file}" with { "resolution-mode": "import" }`;
    const lines = [
      `import type * as entry from ${from};`,
      `export type * from ${from};`,
      ...[...entry.exports].flatMap(([exported, [declaration]]) =>
        describe(exported, declaration!),
      ),
      "",
    ];
    const built = folder === "mull" ? join(libraryFolder, basename(types)) : join(place, types);
    writeFileSync(built.replace(/\.d\.ts$/, ".d.cts"), lines.join("\n"));
  }
}
