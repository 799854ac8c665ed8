import { expect, test } from "vitest";

import { readEach } from "./read-each.ts";

test("a thousand conversations are read in order, never many at once", async () => {
  let open = 0;
  let most = 0;
  const files = Array.from({ length: 1000 }, (_, changedAt) => ({
    name: `c${changedAt}`,
    path: `c${changedAt}.jsonl`,
    changedAt,
  }));
  const names = await readEach(files, async ({ name }) => {
    most = Math.max(most, ++open);
    await Promise.resolve();
    open--;
    return name;
  });
  expect(names).toEqual(files.map(({ name }) => name));
  expect(most).toBeLessThanOrEqual(64);
});
