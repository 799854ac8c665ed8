import { describe, expect, it, vi } from "vitest";
import { createRounds } from "./rounds.ts";

const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe("work of the next round", () => {
  it("F-W17: all of it is done in one go and in order; what it asks for comes a round later", async () => {
    const rounds = createRounds();
    const seen: string[] = [];
    const schedule = vi.spyOn(globalThis, "setImmediate");
    rounds.next(() => {
      seen.push("a");
      rounds.next(() => seen.push("later"));
    });
    rounds.next(() => seen.push("b"));
    expect(schedule).toHaveBeenCalledOnce();
    schedule.mockRestore();
    expect(seen).toEqual([]);
    await nextRound();
    expect(seen).toEqual(["a", "b"]);
    await nextRound();
    expect(seen).toEqual(["a", "b", "later"]);
  });
});
