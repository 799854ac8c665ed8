import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants } from "../scripts/mutants.ts";

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  "what a mutation switches off stands once in its file: %s",
  (_name, { file, find, put, tests }) => {
    const source = readFileSync(new URL(`../packages/mull/src/${file}`, import.meta.url), "utf8");
    expect(source.split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
    expect(tests).not.toHaveLength(0);
  },
);
