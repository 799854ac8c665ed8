import { describe, expect, it } from "vitest";
import { createGate } from "./gate.ts";

/** Work that continues until it is told to end. */
function pending(): { readonly work: () => Promise<void>; readonly end: () => void } {
  const ends: (() => void)[] = [];
  const ended = new Promise<void>((resolve) => {
    ends.push(resolve);
  });
  return { work: () => ended, end: () => ends.at(0)?.() };
}

describe("a gate", () => {
  it("F-W3: a place that gets free goes to who waits, not also to who comes in that moment", async () => {
    const gate = createGate({ most: 1, waiting: 5 });
    const seen = { running: 0, most: 0 };
    const counted = async (): Promise<void> => {
      seen.most = Math.max(seen.most, ++seen.running);
      await Promise.resolve();
      seen.running--;
    };
    const first = pending();
    const running = gate.run(first.work);
    const waiter = gate.run(counted);
    first.end();
    const late: Promise<void>[] = [];
    const come = running.then(() => late.push(gate.run(counted)));
    await Promise.all([waiter, come]);
    await Promise.all(late);
    expect(seen).toEqual({ running: 0, most: 1 });
  });

  it("F-W3: is full when all places are taken and too many wait, and says so before the work", async () => {
    const gate = createGate({ most: 1, waiting: 1 });
    const held = pending();
    gate.check();
    const works = [gate.run(held.work), gate.run(held.work)];
    expect(() => gate.check()).toThrow(/Too many/);
    await expect(gate.run(held.work)).rejects.toThrow(/Too many/);
    held.end();
    await Promise.all(works);
    gate.check();
  });
});
