import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const name = "recordings.jsonl";

/** Tests that read real traffic. Their files are left out where there is none. */
export const recordingTests: readonly string[] = [
  "packages/*/src/**/recordings.test.ts",
  "packages/*/src/**/recorded-*.test.ts",
  "test/**/recorded-*.test.ts",
];

/** Real traffic is not in the repository. `MULL_RECORDINGS` names the file or its folder; otherwise it is looked for beside the checkout. */
export function findRecordings(given = process.env["MULL_RECORDINGS"]): string | undefined {
  const beside = resolve(import.meta.dirname, "..", "..", "shared", "recordings");
  const place = resolve(given ?? beside);
  if (!existsSync(place)) {
    if (given === undefined) return undefined;
    throw new Error(`MULL_RECORDINGS: ${place} does not exist. Give the path of a ${name}.`);
  }
  return statSync(place).isDirectory() ? join(place, name) : place;
}
