import { describe, expect, test } from "vitest";
import type { AgentEvent } from "./event.ts";
import type { AgentResult } from "./result.ts";
import { TurnReader } from "./turn-reader.ts";

const event = (text: string): AgentEvent => ({
  type: "answer",
  step: 0,
  event: { type: "text", index: 0, delta: text },
});
const [a, b, c] = [event("a"), event("b"), event("c")] as const;
const whole = { text: "abc" } as AgentResult;
const over = { done: true, value: undefined };

/** A turn that puts these batches in and writes down how far it came. */
const turnOf = (
  ...batches: readonly (readonly AgentEvent[])[]
): { readonly reader: TurnReader; readonly log: string[] } => {
  const log: string[] = [];
  const reader = new TurnReader(async (out) => {
    try {
      for (const [at, batch] of batches.entries()) {
        log.push(`put ${at}`);
        await out.put(batch);
      }
      log.push("whole");
      return whole;
    } finally {
      log.push("closed");
    }
  });
  return { reader, log };
};

describe("R36 a turn and who reads it", () => {
  test("the turn begins with the first read and goes no further than it is read", async () => {
    const { reader, log } = turnOf([a, b], [c]);
    expect(log).toEqual([]);
    expect(await reader.next()).toEqual({ done: false, value: a });
    expect(await reader.next()).toEqual({ done: false, value: b });
    expect(log).toEqual(["put 0"]);
    expect(await reader.next()).toEqual({ done: false, value: c });
    expect(await reader.next()).toEqual(over);
    expect(await reader.next()).toEqual(over);
    expect(reader.result()).toBe(whole);
  });

  test("reads that do not wait for each other are served in order", async () => {
    const { reader } = turnOf([a], [], [b, c]);
    const steps = await Promise.all([1, 2, 3, 4].map(() => reader.next()));
    expect(steps.map(({ value }) => value)).toEqual([a, b, c, undefined]);
  });

  test("what came together is taken at once", async () => {
    const { reader } = turnOf([a, b, c]);
    await reader.next();
    expect(reader.takeReady()).toEqual([b, c]);
    expect(reader.takeReady()).toEqual([]);
    expect(await reader.next()).toEqual(over);
  });

  test("F-S17 leaving ends the turn where it stands, and waits until it has cleaned up", async () => {
    const { reader, log } = turnOf([a], [b]);
    await reader.next();
    await reader.stop();
    expect(log).toEqual(["put 0", "closed"]);
    expect(await reader.next()).toEqual(over);
    expect(() => reader.result()).toThrow("left before its end");
  });

  test("F-S17 leaving while something is awaited hands nothing on any more", async () => {
    const { reader, log } = turnOf([a], [b]);
    const [step] = await Promise.all([reader.next(), reader.stop()]);
    expect([step, log]).toEqual([over, ["put 0", "closed"]]);
  });

  test("F-S17 a turn that was never read is left without having begun", async () => {
    const { reader, log } = turnOf([a]);
    await reader.stop();
    expect(log).toEqual([]);
  });

  test("what ended a turn is thrown once, and is its result", async () => {
    const failure = new Error("broken");
    const reader = new TurnReader(() => Promise.reject(failure));
    await expect(reader.next()).rejects.toBe(failure);
    expect(await reader.next()).toEqual(over);
    expect(() => reader.result()).toThrow(failure);
  });
});
