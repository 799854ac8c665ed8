import { describe, expect, test } from "vitest";
import { idsIn, idsOf, specLists, testsById } from "../scripts/spec-ids.ts";

const known = specLists.flatMap(idsIn);
const shown = testsById();

test("ids are found in names, tables and ranges, and nowhere else", () => {
  const name = "R14 to R16, F-S3: no R2D2, nor DeepSeek-R1";
  expect([...new Set(idsOf(name))].toSorted()).toEqual(["F-S3", "R14", "R15", "R16"]);
  expect([...idsOf("S17: a prefix is missing")]).toEqual(["S17"]);
  expect([...(shown.get("R396") ?? [])]).toEqual(["packages/mull/src/dial/map.test.ts"]);
});

test("no id stands twice", () => {
  expect(known).toHaveLength(new Set(known).size);
  expect(known.length).toBeGreaterThan(600);
});

test("every id that a test names is in a list", () => {
  const unknown = [...shown].filter(([id]) => !known.includes(id));
  expect(unknown).toEqual([]);
});

describe("every id has a test that names it", () => {
  test.each(["requirements", "pain-points", "faults"] as const)("%s", (list) => {
    expect(idsIn(list).filter((id) => !shown.has(id))).toEqual([]);
  });
});
