import { memoryStore } from "@mull/store";
import { describe, expect, it } from "vitest";
import { createSpendingBook } from "./spending.ts";

const book = (spent: { tokens: number }, clock: { at: number }, users?: number) => {
  let sums = 0;
  const store = {
    ...memoryStore(),
    sumSpending: async () => {
      sums++;
      return { turns: 1, tokens: spent.tokens, cost: 0.5 };
    },
  };
  const made = createSpendingBook({
    store: async () => store,
    now: () => clock.at,
    ...(users !== undefined && { users }),
  });
  return { made, sums: () => sums };
};

describe("what users took", () => {
  it("F-W17: is summed once a minute; what ends here counts at once", async () => {
    const clock = { at: 0 };
    const spent = { tokens: 10 };
    const { made, sums } = book(spent, clock);
    expect(await made.of("ann")).toEqual({ turns: 1, tokens: 10, cost: 0.5 });
    made.add("ann", 5, 0.25);
    expect(await made.of("ann")).toEqual({ turns: 2, tokens: 15, cost: 0.75 });
    expect(sums()).toBe(1);
    clock.at += 60_000;
    spent.tokens = 100;
    expect((await made.of("ann")).tokens).toBe(100);
  });

  it("F-W17: users nobody asked for are not held, and of the others only so many", async () => {
    const { made, sums } = book({ tokens: 10 }, { at: 0 }, 2);
    made.add("ann", 5, 0);
    expect((await made.of("ann")).tokens).toBe(10);
    await made.of("bob");
    await made.of("cid");
    await made.of("ann");
    expect(sums()).toBe(4);
  });
});
