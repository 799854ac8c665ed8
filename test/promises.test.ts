import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openMullTalk } from "../bench/promises/mull-talk.ts";
import { probes } from "../bench/promises/probes.ts";
import { readFound } from "../scripts/docs-promises.ts";

const { libraries, rows } = readFound();

describe("promise 1, G: the README's table of promises", () => {
  test.each(probes)("mull: $what", async ({ what, run }) => {
    const found = await run(openMullTalk);
    expect(found).toMatch(/^taken(; kept)?$/);
    expect(rows.find((row) => row.what === what)?.found["mull"]).toBe(found);
  });

  test("has what was tried, and the first row shows that the try is fair", () => {
    expect(rows.map(({ what }) => what)).toEqual(probes.map(({ what }) => what));
    expect(new Set(Object.values(rows[0]?.found ?? {}))).toEqual(new Set(["taken"]));
  });

  test("was tried with the versions that are installed for comparison", () => {
    const { dependencies } = JSON.parse(readFileSync("bench/peers/package.json", "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(Object.keys(libraries)).toHaveLength(4);
    const pinned = new Set(Object.values(dependencies));
    expect(Object.values(libraries).filter((version) => !pinned.has(version))).toEqual([]);
  });
});
