import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openAISDKTalk } from "../bench/promises/ai-sdk-talk.ts";
import { openMullTalk } from "../bench/promises/mull-talk.ts";
import { probes } from "../bench/promises/probes.ts";
import { readFound } from "../scripts/docs-promises.ts";

const { libraries, repaired, rows } = readFound();

describe("promise 1, G: the README's table of promises", () => {
  test.each([
    ["mull", openMullTalk],
    ["AI SDK with mull", openAISDKTalk],
  ])("%s: every row is taken", async (name, open) => {
    for (const { what, run } of probes) {
      const found = await run(open);
      expect(`${what}: ${found}`).toMatch(/: taken(; kept)?$/);
      expect(rows.find((row) => row.what === what)?.found[name]).toBe(found);
    }
  });

  test("the repairing fetch repaired every request that was refused", () => {
    const refused = rows.flatMap(({ found }) =>
      Object.values(found).filter((verdict) => verdict.startsWith("refused")),
    );
    expect(repaired).toEqual({ refused: refused.length, taken: refused.length });
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
