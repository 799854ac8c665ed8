import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { failureOf } from "../../../../test/loopback.ts";
import { plain, readPlain } from "../../../../test/plain-decoder.ts";
import { MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import { type TimeLimits, timeLimits } from "./deadline.ts";
import { send } from "./send.ts";

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Line {
  readonly write: (text: string) => void;
  readonly isCancelled: () => boolean;
  readonly outcome: Promise<unknown>;
  readonly events: StreamEvent[];
}

/** An answer whose bytes the test writes, read by a consumer that takes `paceMs` an event. */
function openLine(limits: TimeLimits, mayThink = false, paceMs = 0): Line {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const events: StreamEvent[] = [];
  const consume = async (): Promise<void> => {
    const response = await send(
      {
        url: "http://stub.test",
        headers: {},
        body: "",
        decodeError: () => new MullError("refused", { category: "server" }),
        mayThink,
      },
      { fetch: async () => new Response(body), limits, maxAttempts: 1 },
    );
    for await (const event of readPlain(response)) {
      events.push(event);
      if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
    }
  };
  const outcome = consume().then(
    () => "complete",
    (error: unknown) => error,
  );
  return {
    write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
    isCancelled: () => isCancelled,
    outcome,
    events,
  };
}

const failed = async (line: Line): Promise<MullError> =>
  failureOf(line.outcome.then((error) => Promise.reject(error)));

describe("F-N14 F-N15 F-N17: four clocks", () => {
  test("F-N15: six silent minutes in the middle of thinking are survived on defaults", async () => {
    const line = openLine({}, true);
    await vi.advanceTimersByTimeAsync(6 * minute);
    line.write(plain.start);
    await vi.advanceTimersByTimeAsync(6 * minute);
    line.write(plain.text("done thinking") + plain.end);
    await vi.advanceTimersByTimeAsync(0);
    expect(await line.outcome).toBe("complete");
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each<[string, TimeLimits, boolean, number]>([
    ["120 s for the first byte", {}, false, 120_000],
    ["900 s for the first byte while it may think", {}, true, 900_000],
    ["what the caller says", { firstByteMs: 5000 }, true, 5000],
  ])("F-N14: %s", async (_name, limits, mayThink, ms) => {
    const line = openLine(limits, mayThink);
    await vi.advanceTimersByTimeAsync(ms - 10);
    expect(line.isCancelled()).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    const error = await failed(line);
    expect(error).toMatchObject({ category: "timeout", code: "firstByteMs", retryable: true });
    expect(line.isCancelled()).toBe(true);
  });

  test("F-N15: the idle limit fires at its time and keeps the partial turn", async () => {
    const line = openLine({ idleMs: 10_000 });
    line.write(plain.start + plain.text("half a"));
    await vi.advanceTimersByTimeAsync(9990);
    expect(line.isCancelled()).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    const error = await failed(line);
    expect(error).toMatchObject({ category: "timeout", code: "idleMs" });
    expect(error.message).toContain("10000 ms");
    expect(error.partial?.message.parts).toMatchObject([{ text: "half a" }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("F-N15: silence behind an answer that is whole ends it, and is no failure", async () => {
    const line = openLine({ idleMs: 10_000 });
    line.write(plain.start + plain.text("all of it") + plain.last);
    await vi.advanceTimersByTimeAsync(9990);
    line.write(plain.text(", and more"));
    await vi.advanceTimersByTimeAsync(9990);
    expect(line.events.at(-1)?.type).toBe("text");
    await vi.advanceTimersByTimeAsync(20);
    expect(await line.outcome).toBe("complete");
    expect(line.events.at(-1)).toMatchObject({
      type: "finish",
      reply: { message: { parts: [{ text: "all of it, and more" }] } },
    });
    expect(line.isCancelled()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("F-N15: pings and comments count as life", async () => {
    const line = openLine({ idleMs: 10_000 });
    for (let i = 0; i < 20; i++) {
      line.write(": ping\n\n");
      await vi.advanceTimersByTimeAsync(9000);
    }
    line.write(plain.start + plain.end);
    await vi.advanceTimersByTimeAsync(0);
    expect(await line.outcome).toBe("complete");
  });

  test.each<[string, TimeLimits, string]>([
    ["the progress limit", { progressMs: 65_000 }, "progressMs"],
    ["the total limit", { totalMs: 65_000 }, "totalMs"],
  ])("F-N17: one byte every 10 s is not idle; %s ends it", async (_name, limits, code) => {
    const line = openLine({ idleMs: 15_000, ...limits });
    for (let i = 0; i < 7; i++) {
      line.write("d");
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(await failed(line)).toMatchObject({ category: "timeout", code });
    expect(line.isCancelled()).toBe(true);
  });

  test("F-N17: a heartbeat is no progress", async () => {
    const line = openLine({ progressMs: 9000 });
    line.write(plain.start);
    for (let i = 0; i < 4; i++) {
      await vi.advanceTimersByTimeAsync(2000);
      line.write(": ping\n\n");
    }
    await vi.advanceTimersByTimeAsync(2000);
    expect(await failed(line)).toMatchObject({ category: "timeout", code: "progressMs" });
    const beats = Array.from({ length: 4 }, () => "heartbeat");
    expect(line.events.map(({ type }) => type)).toEqual(["start", ...beats]);
  });

  test.each([
    ["is not silence", 500, "complete"],
    ["is no progress either", 1500, "progressMs"],
  ])("F-N17: what a consumer takes over a heartbeat %s", async (_name, moreMs, outcome) => {
    const line = openLine({ idleMs: minute, progressMs: 3000 }, false, 5000);
    line.write(plain.start);
    await vi.advanceTimersByTimeAsync(7000);
    line.write(": ping\n\n");
    // Five seconds of these are the consumer's: the service has used two and a half, or three and a half.
    await vi.advanceTimersByTimeAsync(5000 + moreMs);
    expect(line.events.map(({ type }) => type)).toEqual(["start", "heartbeat"]);
    if (!line.isCancelled()) line.write(plain.end);
    await vi.advanceTimersByTimeAsync(5000);
    const ended = await line.outcome;
    expect(ended instanceof MullError ? ended.code : ended).toBe(outcome);
  });

  test("a consumer that is gone after a heartbeat is told that it did not read", async () => {
    const line = openLine({ idleMs: 3000, firstByteMs: 3000 }, false, minute);
    await vi.advanceTimersByTimeAsync(1500);
    line.write(": ping\n\n");
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect((await failed(line)).message).toContain("for 3000 ms (idleMs)");
  });

  test("a consumer that takes its time is not a silent service", async () => {
    const line = openLine({ idleMs: 1000, progressMs: 1000 }, false, 900);
    line.write(plain.start + plain.text("x").repeat(50));
    await vi.advanceTimersByTimeAsync(40_000);
    line.write(plain.text("late") + plain.end);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await line.outcome).toBe("complete");
    expect(line.events).toHaveLength(53);
  });

  test("a consumer that takes nothing for the idle limit gets what had come, then the error", async () => {
    const line = openLine({ idleMs: 1000 }, false, minute);
    line.write(plain.start + plain.text("x").repeat(3));
    await vi.advanceTimersByTimeAsync(990);
    expect(line.isCancelled()).toBe(false);
    await vi.advanceTimersByTimeAsync(1100);
    expect(line.isCancelled()).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * minute);
    const error = await failed(line);
    expect(error).toMatchObject({
      category: "timeout",
      code: "idleMs",
      message:
        "Nobody read the answer of stub.test for 1000 ms (idleMs), so the connection was closed.",
      partial: { message: { parts: [{ text: "xxx" }] } },
    });
    expect(line.events).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a whole answer can be read as slowly as one likes", async () => {
    const line = openLine({ idleMs: 1000 }, false, minute);
    line.write(plain.start + plain.text("x").repeat(9) + plain.end);
    await vi.advanceTimersByTimeAsync(20 * minute);
    expect(await line.outcome).toBe("complete");
    expect(line.events).toHaveLength(11);
  });

  test("limits beyond what a timer can hold never fire early", async () => {
    const line = openLine({ firstByteMs: 2 ** 40, idleMs: 2 ** 40, totalMs: 2 ** 40 });
    await vi.advanceTimersByTimeAsync(24 * 60 * minute);
    line.write(plain.start + plain.end);
    await vi.advanceTimersByTimeAsync(0);
    expect(await line.outcome).toBe("complete");
  });

  test.each([0, -1, Number.NaN])("a limit of %d is refused by name", (ms) => {
    expect(() => timeLimits({ idleMs: ms }, false)).toThrow(/^idleMs: /);
  });
});
