import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { trackedFiles } from "./tracked-files.ts";

test("the repository knows its files", () => {
  const files = trackedFiles(join(import.meta.dirname, ".."));
  expect(files).toContain("package.json");
  expect(files.some((path) => path.includes("node_modules/"))).toBe(false);
});

test("an archive without .git lists all but what is installed or built", () => {
  const root = mkdtempSync(join(tmpdir(), "mull-archive-"));
  try {
    for (const folder of ["src/inner", "node_modules/other", "packages/one/dist"]) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, "file.ts"), "");
    }
    expect(trackedFiles(root)).toEqual(["src/inner/file.ts"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
