import { describe, expect, it } from "vitest";
import { createLingering } from "./lingering.ts";

describe("turns that are over and kept for readers that come back", () => {
  it("F-G13: each goes when its time is over, not before", () => {
    const clock = { at: 0 };
    const kept = createLingering<number>({ ms: 1000, most: 3, now: () => clock.at });
    kept.set("a", 1);
    clock.at = 600;
    kept.set("b", 2);
    clock.at = 999;
    expect([kept.get("a"), kept.get("b")]).toEqual([1, 2]);
    clock.at = 1000;
    expect([kept.get("a"), kept.get("b")]).toEqual([undefined, 2]);
    clock.at = 1600;
    expect(kept.get("b")).toBeUndefined();
  });

  it("F-G13: of a hundred thousand, the last that fit are kept", () => {
    const kept = createLingering<number>({ ms: 1000, most: 3, now: () => 0 });
    for (let at = 0; at < 100_000; at++) kept.set(String(at), at);
    expect(["99996", "99997", "99998", "99999"].map((key) => kept.get(key))).toEqual([
      undefined,
      99_997,
      99_998,
      99_999,
    ]);
  });
});
