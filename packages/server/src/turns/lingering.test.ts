import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLingering, type Lingering } from "./lingering.ts";

describe("turns that are over and kept for readers that come back", () => {
  let dropped: string[];
  let lingering: Lingering;
  beforeEach(() => {
    vi.useFakeTimers();
    dropped = [];
    const drop = (key: string): unknown => dropped.push(key);
    lingering = createLingering({ ms: 1000, most: 3, drop, now: Date.now });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("F-G13: each goes when its time is over, not before", () => {
    lingering.add("a");
    vi.advanceTimersByTime(600);
    lingering.add("b");
    vi.advanceTimersByTime(399);
    expect(dropped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual(["a"]);
    vi.advanceTimersByTime(600);
    expect(dropped).toEqual(["a", "b"]);
  });

  it("F-G13: a hundred thousand cost what fits, and one timer", () => {
    for (let at = 0; at < 100_000; at++) lingering.add(String(at));
    expect(dropped).toHaveLength(99_997);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(dropped).toHaveLength(100_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
