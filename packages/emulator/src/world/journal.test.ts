import { describe, expect, it } from "vitest";

import { createJournal } from "./journal.ts";

const entry = { method: "POST", path: "/", status: 200, verdict: "answered" as const };

describe("the journal", () => {
  it("keeps the latest entries only", () => {
    const journal = createJournal(4);
    for (let i = 0; i < 5; i += 1) journal.write(entry, 1);
    expect(journal.read().map(({ number }) => number)).toEqual([3, 4, 5]);
    journal.clear();
    expect(journal.read()).toEqual([]);
  });

  it("lets go of the oldest bodies when they become too much", () => {
    const journal = createJournal(100);
    for (let i = 0; i < 4; i += 1) journal.write({ ...entry, body: { i } }, 6_000_000);
    expect(journal.read().map(({ body }) => body)).toEqual([
      undefined,
      undefined,
      { i: 2 },
      { i: 3 },
    ]);
  });
});
