/**
 * Writes docs/rules.md from the rules themselves. `npx tsx scripts/docs-rules.ts` writes it,
 * `--check` says whether it is up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rulesPage } from "./rules-page.ts";

const path = join(import.meta.dirname, "../docs/rules.md");
const page = rulesPage();

if (process.argv.includes("--check")) {
  if (readFileSync(path, "utf8") !== page) {
    console.error("docs/rules.md is not what the rules say. Run: npx tsx scripts/docs-rules.ts");
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, page);
}
