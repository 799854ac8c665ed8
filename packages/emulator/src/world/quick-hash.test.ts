import { expect, it } from "vitest";

import { quickHash } from "./quick-hash.ts";

it("P-B9 tells 100,000 beginnings apart, and repeats itself", () => {
  const seen = new Set<number>();
  let before = 0;
  for (let i = 0; i < 100_000; i += 1) {
    before = quickHash(`${i}`, before);
    seen.add(before);
  }
  expect(seen.size).toBe(100_000);
  expect(quickHash("b", quickHash("a", 0))).toBe(quickHash("b", quickHash("a", 0)));
  expect(quickHash("b", quickHash("a", 0))).not.toBe(quickHash("a", quickHash("b", 0)));
});
