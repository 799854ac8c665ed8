import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants } from "../scripts/mutants/index.ts";
import { idsOf, testsById } from "../scripts/spec-ids.ts";

const shown = testsById();

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  "what a mutation switches off stands once in its file: %s",
  (_name, { file, find, put, tests = [], requirement = "" }) => {
    const source = readFileSync(new URL(`../packages/${file}`, import.meta.url), "utf8");
    expect(source.split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
    const ids = [...idsOf(requirement)];
    expect(tests.length + ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !shown.has(id))).toEqual([]);
  },
);
