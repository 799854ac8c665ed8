import { describe, expect, test } from "vitest";
import { failureOf } from "../../../../test/loopback.ts";
import { plain, plainDecoder } from "../../../../test/plain-decoder.ts";
import { MullError } from "../types/error.ts";
import type { StreamDecoder } from "../types/wire.ts";
import { send, type SendOptions } from "./send.ts";
import { type EventStream, streamEvents } from "./stream.ts";

const words = 200;
const oneChunk =
  plain.start + plain.text("a word of some length").repeat(words) + plain.end + plain.text("late");

interface Opened {
  readonly events: EventStream;
  /** Frames that were decoded so far. */
  readonly decoded: () => number;
}

/** An answer that comes in one chunk, and a decoder that counts. */
async function open(options: SendOptions = {}): Promise<Opened> {
  const response = await send(
    {
      url: "http://stub.test",
      headers: {},
      body: "{}",
      decodeError: () => new MullError("refused", { category: "server" }),
    },
    {
      fetch: async () => new Response(new TextEncoder().encode(oneChunk)),
      ...options,
    },
  );
  const decoder = plainDecoder();
  let decoded = 0;
  const counting: StreamDecoder = {
    ...decoder,
    push: (data, event, out) => {
      decoded++;
      decoder.push(data, event, out);
    },
  };
  return { events: streamEvents(response, counting), decoded: () => decoded };
}

describe("a chunk with many events", () => {
  test("F-A4: its first are handed out before the rest is decoded", async () => {
    const { events, decoded } = await open();
    expect(await events.next()).toMatchObject({ value: { type: "start" } });
    expect(decoded()).toBeLessThan(words / 4);
    for await (const event of events) void event;
    expect(decoded()).toBe(words + 2);
  });

  test("all that has come can be taken at once, each event once", async () => {
    const { events } = await open();
    const first = await events.next();
    const ready = events.takeReady();
    expect(first.value?.type).toBe("start");
    expect(ready.map(({ type }) => type)).toEqual([...Array(words).fill("text"), "finish"]);
    expect(events.takeReady()).toEqual([]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("F-A1: stop means stop, also in the middle of it", async () => {
    const controller = new AbortController();
    const { events, decoded } = await open({ signal: controller.signal });
    await events.next();
    controller.abort();
    const seen = decoded();
    const rest = async (): Promise<void> => {
      for await (const event of events) void event;
    };
    expect(await failureOf(rest())).toMatchObject({ category: "aborted" });
    expect(decoded()).toBe(seen);
  });
});
