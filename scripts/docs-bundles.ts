import { readFileSync } from "node:fs";

/** Where `npm run bench:charts` writes what was measured. */
const page = "docs/reference/performance.md";
const title = "**bundles, minified and gzipped**";
const ours = "one Anthropic turn";
/** More than a turn, so not comparable. */
const beside = new Set(["all wires and the catalogue", "an Agent with one vendor"]);

/** What one turn with Claude adds to a page, by our own measurement. */
export const bundleTable = (): string => {
  const text = readFileSync(page, "utf8");
  const lines = text.slice(text.indexOf(title)).split("\n").slice(2);
  const rows = lines
    .slice(2, lines.indexOf(""))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", size = ""]) => [name === ours ? "**mull**" : name, size] as const)
    .filter(([name]) => !beside.has(name));
  if (rows[0]?.[0] !== "**mull**") {
    throw new Error(`${page} has no table ${title} that begins with us`);
  }
  return rows.map(([name, size]) => `${name} ${size} KiB`).join(" · ");
};
