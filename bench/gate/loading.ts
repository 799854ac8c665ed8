import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Count } from "./count.ts";

/** What a program loads with a module. */
export interface Loaded {
  readonly name: string;
  readonly entry: URL;
  readonly mostModules: number;
  readonly mostBytes: number;
}

/** Modules that are loaded with one, itself included, and their bytes. */
export function countModules({ name, entry, mostModules, mostBytes }: Loaded): readonly Count[] {
  const seen = new Set<string>();
  let bytes = 0;
  const open = [entry.href];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const text = readFileSync(new URL(url), "utf8");
    bytes += text.length;
    for (const [, path] of text.matchAll(/^(?:import|export)\b[^"']*["'](\.[^"']+)["']/gm)) {
      open.push(new URL(path!, url).href);
    }
  }
  return [
    { what: `modules loaded by ${name}`, most: mostModules, counted: seen.size },
    { what: `bytes loaded by ${name}`, most: mostBytes, counted: bytes },
  ];
}

interface Size {
  readonly name: string;
  readonly size: number;
  readonly sizeLimit?: number;
}

/** Bundles as `size-limit` makes them, with the limits of package.json. */
export function countBundles(): readonly Count[] {
  const result = spawnSync("npx", ["--no-install", "size-limit", "--json"], { encoding: "utf8" });
  return (JSON.parse(result.stdout) as readonly Size[]).map(({ name, size, sizeLimit }) => ({
    what: `bytes of ${name}`,
    most: sizeLimit ?? NaN,
    counted: size,
  }));
}
