import { describe, expect, it } from "vitest";
import { openLines, shareLines, type Lines, type LineWorld } from "./lines.ts";
import { stub, wrong } from "../../../../test/stubs.ts";

/** The locks of one browser. */
function createLocks(): LockManager {
  const held = new Set<string>();
  const request = async (
    name: string,
    _: LockOptions,
    use: (lock: Lock | null) => Promise<void>,
  ): Promise<void> => {
    if (held.has(name)) return use(null);
    held.add(name);
    await use({ name, mode: "exclusive" });
    held.delete(name);
  };
  return wrong({ request });
}

const takeMany = (lines: Lines): Promise<readonly unknown[]> =>
  Promise.all(Array.from({ length: 6 }, () => lines.take()));

const world = (nextHopProtocol: string, locks?: LockManager): LineWorld => ({
  navigator: locks === undefined ? {} : { locks },
  performance: {
    getEntriesByType: (type) =>
      type === "navigation" ? [] : [stub<PerformanceResourceTiming>({ nextHopProtocol })],
  },
});

describe("F-W14 the lines of one browser", () => {
  it("are four for all tabs together, and given back", async () => {
    const locks = createLocks();
    const tabs = Array.from({ length: 6 }, () => shareLines(locks));
    const taken = [];
    for (const tab of tabs) taken.push(await tab.take());
    expect(taken.map((release) => typeof release)).toEqual([
      "function",
      "function",
      "function",
      "function",
      "undefined",
      "undefined",
    ]);
    taken[2]?.();
    await Promise.resolve();
    expect(await tabs[5]?.take()).toBeDefined();
    expect(await tabs[4]?.take()).toBeUndefined();
  });

  it("are many where the browser makes one connection for all, or has no locks", async () => {
    const locks = createLocks();
    expect(await takeMany(openLines(world("http/1.1", locks)))).toContain(undefined);
    expect(await takeMany(openLines(world("", locks)))).toContain(undefined);
    expect(await takeMany(openLines(world("h2", locks)))).not.toContain(undefined);
    expect(await takeMany(openLines(world("http/1.1")))).not.toContain(undefined);
  });

  it("are many where locks are refused", async () => {
    const refused = { request: () => Promise.reject(new Error("SecurityError")) };
    expect(await takeMany(shareLines(wrong(refused)))).not.toContain(undefined);
  });
});
