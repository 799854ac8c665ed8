import { createLoopShare } from "@mull/store/parts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTurnLog } from "./turn-log.ts";

const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** The text of all frames. */
const readOf = (frames: string): string =>
  [...frames.matchAll(/"delta":"([^"]*)"/g)].map((match) => match[1]).join("");

describe("the log of a turn", () => {
  it("F-W16: a thousand readers get all of it, told in many rounds of the loop", async () => {
    // Pretends that informing one reader takes a tenth of a millisecond.
    const clock = { at: 0 };
    const log = createTurnLog(createLoopShare({ now: () => clock.at }));
    const seen = { told: 0 };
    const readers = Array.from({ length: 1000 }, async () => {
      const reader = log.read(0);
      let text = (await reader.next()) ?? "";
      seen.told++;
      clock.at += 0.1;
      for (let more = await reader.next(); more !== undefined; more = await reader.next()) {
        text += more;
      }
      return text;
    });
    log.append({ type: "text-delta", id: "0", delta: "Hello" });
    const perRound: number[] = [];
    for (let before = 0; before < 1000; before = seen.told) {
      await nextRound();
      perRound.push(seen.told - before);
    }
    log.append({ type: "text-end", id: "0" });
    log.end();
    const texts = new Set(await Promise.all(readers));
    expect(texts.size).toBe(1);
    expect([...texts].join("")).toMatch(/"delta":"Hello".*text-end/s);
    expect(Math.max(...perRound)).toBeLessThanOrEqual(200);
  });

  it("F-W11: a reader that does not read holds nothing of its own; it gets the rest in one go", async () => {
    const log = createTurnLog();
    const reader = log.read(0);
    for (let at = 0; at < 10_000; at++) log.append({ type: "text-delta", id: "0", delta: "abc " });
    log.end();
    let text = "";
    let batches = 0;
    for (let more = await reader.next(); more !== undefined; more = await reader.next()) {
      text += more;
      batches++;
    }
    expect(readOf(text)).toBe("abc ".repeat(10_000));
    expect(batches).toBeLessThan(5);
  });

  it("F-W14: blocks that are written by turns keep their own pieces when one of them ends", async () => {
    const log = createTurnLog();
    log.append({ type: "text-delta", id: "0", delta: "A" });
    log.append({ type: "reasoning-delta", id: "1", delta: "b" });
    log.append({ type: "text-delta", id: "0", delta: "C" });
    log.append({ type: "text-end", id: "0" });
    log.end();
    const frames = (await log.read(0).next()) ?? "";
    const pieces = [...frames.matchAll(/"id":"(\d)","delta":"([^"]*)"/g)];
    expect(pieces.map(([, id, delta]) => `${id}${delta}`)).toEqual(["0A", "1b", "0C"]);
  });

  it("F-W14: readers that come at any moment, from any number, get the same text", async () => {
    const log = createTurnLog();
    const said = "The quick brown fox jumps over the lazy dog";
    const readers = [log.read(0)];
    const texts: string[] = [""];
    const readOnce = async (): Promise<void> => {
      for (const [at, reader] of readers.entries()) texts[at] += (await reader.next()) ?? "";
    };
    for (const [at, delta] of said.split("").entries()) {
      log.append({ type: "text-delta", id: "0", delta });
      if (at % 7 === 6) {
        readers.push(log.read(at - 3));
        texts.push("");
        await readOnce();
      }
    }
    log.append({ type: "text-end", id: "0" });
    log.end();
    await readOnce();
    expect(texts.map(readOf)).toEqual([
      said,
      ...[6, 13, 20, 27, 34, 41].map((at) => said.slice(at - 3)),
    ]);
    expect(texts.every((text) => text.includes(`id: ${said.length + 1}\n`))).toBe(true);
  });
});

describe("readers that wait", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("F-W16: hear something now and then while nothing comes, and then what comes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const log = createTurnLog();
    const reader = log.read(0);
    for (let at = 0; at < 3; at++) {
      const silent = reader.next();
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await silent).toBe(": still here\n\n");
    }
    const last = reader.next();
    log.append({ type: "text-delta", id: "0", delta: "Hello" });
    expect(readOf((await last) ?? "")).toBe("Hello");
    log.end();
    expect(await reader.next()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("F-W11: who leaves while it waits is let go at once, with its timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const reader = createTurnLog().read(0);
    const waiting = reader.next();
    reader.cancel();
    expect(await waiting).toBeUndefined();
    expect(await reader.next()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("F-W16: what follows at once is sent together, and the end does not wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 1000 });
    const log = createTurnLog();
    const reader = log.read(0);
    const say = (delta: string): void => log.append({ type: "text-delta", id: "0", delta });
    const first = reader.next();
    say("a");
    expect(readOf((await first) ?? "")).toBe("a");
    const rest = reader.next();
    say("b");
    await nextRound();
    say("c");
    log.end();
    expect(readOf((await rest) ?? "")).toBe("bc");
    expect(await reader.next()).toBeUndefined();
  });
});
