import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { pages, staleText } from "./docs-pages.ts";

/** `npm run docs` writes what is stale; with `--check` it only says so and fails. */
const isCheck = process.argv.includes("--check");
let stale = 0;
for (const { path, make } of pages) {
  const text = make();
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  stale++;
  if (!isCheck) writeFileSync(path, text);
  console.log(isCheck ? staleText(path) : `wrote ${path}`);
}
if (stale === 0) console.log(`${pages.length} documents are up to date`);
if (isCheck && stale > 0) process.exitCode = 1;
