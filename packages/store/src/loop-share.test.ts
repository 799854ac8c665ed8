import { describe, expect, it } from "vitest";
import { createLoopShare, mapInSlices } from "./loop-share.ts";

const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe("a share of the event loop", () => {
  it("F-W17: work within the budget of a round does not wait", async () => {
    const share = createLoopShare({ budgetMs: 10, now: () => 0 });
    expect([share.take(), share.take(), share.take()]).toEqual([undefined, undefined, undefined]);
  });

  it("F-W17: beyond it work waits for later rounds, as much a round as fits and in order", async () => {
    const clock = { at: 0 };
    const share = createLoopShare({ budgetMs: 10, now: () => clock.at });
    void share.take();
    clock.at = 11;
    const seen: string[] = [];
    const works = ["a", "b", "c", "d", "e"].map(async (name) => {
      await share.take();
      // Work that follows a wait takes time as well.
      await Promise.resolve();
      clock.at += 6;
      seen.push(name);
    });
    await Promise.resolve();
    expect(seen).toEqual([]);
    await nextRound();
    expect(seen).toEqual(["a", "b"]);
    await nextRound();
    expect(seen).toEqual(["a", "b", "c", "d"]);
    await Promise.all(works);
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("F-W17: who comes while others wait goes behind them", async () => {
    const clock = { at: 0 };
    const share = createLoopShare({ budgetMs: 10, now: () => clock.at });
    void share.take();
    clock.at = 11;
    const first = share.take();
    clock.at = 0;
    expect(share.take()).toBeInstanceOf(Promise);
    await first;
  });
});

describe("a long list", () => {
  it("F-W17: is mapped in order, and others run in between", async () => {
    const items = Array.from({ length: 1700 }, (_, index) => index);
    const clock = { at: 0 };
    let doneWhenOthersRan: number | undefined;
    const share = createLoopShare({ budgetMs: 500, now: () => clock.at });
    const mapping = mapInSlices(
      items,
      (item) => {
        clock.at++;
        return item * 2;
      },
      share,
    );
    setImmediate(() => {
      doneWhenOthersRan = clock.at;
    });
    expect(await mapping).toEqual(items.map((item) => item * 2));
    expect(doneWhenOthersRan).toBeLessThan(items.length);
  });
});
