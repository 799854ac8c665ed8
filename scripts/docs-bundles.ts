import { readFileSync } from "node:fs";
import { table } from "./docs-table.ts";

/** Where `npm run bench:charts` writes what was measured. */
const page = "docs/reference/performance.md";
const title = "**bundles, minified and gzipped**";
const ours = "one Anthropic turn";
/** More than a turn, so not comparable. */
const beside = new Set(["all wires and the catalogue", "an Agent with one vendor"]);

/** The package whose version stands for a library. */
const packages: Readonly<Record<string, string>> = {
  "@anthropic-ai/sdk": "@anthropic-ai/sdk",
  "AI SDK": "ai",
  "TanStack AI": "@tanstack/ai",
  "pi-ai": "@earendil-works/pi-ai",
  "LangChain.js": "@langchain/core",
};

/** The library and the version that was measured; ours is this one. */
function nameVersion(name: string): string {
  if (name === ours) return "**mull**";
  const { dependencies } = JSON.parse(readFileSync("bench/peers/package.json", "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const version = dependencies[packages[name] ?? ""];
  if (version === undefined) throw new Error(`no version of ${name} in bench/peers`);
  return `${name} ${version}`;
}

/** What one turn with Claude adds to a page, by our own measurement. */
export const bundleTable = (): string => {
  const text = readFileSync(page, "utf8");
  const lines = text.slice(text.indexOf(title)).split("\n").slice(2);
  const rows = lines
    .slice(2, lines.indexOf(""))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", size = ""]) => [name, size] as const)
    .filter(([name]) => !beside.has(name));
  if (rows[0]?.[0] !== ours) throw new Error(`${page} has no table ${title} that begins with us`);
  return table(
    rows.map(([name]) => nameVersion(name)),
    [rows.map(([, size]) => `${size} KiB`)],
  ).join("\n");
};
