import { getEventListeners } from "node:events";
import { join } from "node:path";

import { readCassette } from "@mull/vcr";
import { streamChat, type Fetch } from "mull";
import { describe, expect, test } from "vitest";

import { recordedModel } from "../contract/play-scenario.ts";
import { fixtureDirectory } from "../contract/recording.ts";
import { thinkingCassette } from "../contract/scenarios/thinking.ts";
import { collect, countBodies, heapInUse, newHandles, openHandles } from "./measure.ts";

const gc = collect();
const vendors = (["anthropic", "openai", "google"] as const).map((vendor) => {
  const cassette = thinkingCassette(vendor, "streaming");
  const { exchanges } = readCassette(join(fixtureDirectory, `${cassette}.jsonl`));
  return {
    model: recordedModel(cassette),
    deliveries: exchanges[0]!.deliveries.map(({ bytes }) => new Uint8Array(bytes)),
  };
});
const messages = [{ role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] }] as const;

/** Answers with recorded deliveries, one a read. */
const replaying =
  (deliveries: readonly Uint8Array[]): Fetch =>
  () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const next = deliveries[at++];
          if (next === undefined) controller.close();
          else controller.enqueue(next);
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response(body, { headers }));
  };

type End = "finished" | "aborted" | "left";

async function call(index: number, end: End, signal: AbortSignal): Promise<number> {
  const { model, deliveries } = vendors[index % vendors.length]!;
  const bodies = countBodies(replaying(deliveries));
  const own = new AbortController();
  const events = streamChat(
    model,
    { messages },
    {
      fetch: bodies.fetch,
      env: {},
      apiKey: "replayed-account",
      signal: end === "aborted" ? AbortSignal.any([own.signal, signal]) : signal,
    },
  );
  let seen = 0;
  try {
    for await (const _ of events) {
      seen += 1;
      if (seen < 3) continue;
      if (end === "left") break;
      if (end === "aborted") own.abort();
    }
  } catch (error) {
    if (end !== "aborted") throw error;
  }
  // The end of a body behind the last event is read while the caller goes on.
  await new Promise(setImmediate);
  return bodies.opened() - bodies.closed();
}

describe("F-G6 F-A8 what calls leave behind", () => {
  test.each([
    ["finished", 10_000],
    ["aborted", 2000],
    ["left", 2000],
  ] as const)(
    "%s %i times: less than a kilobyte each, no handle, stream or listener",
    async (end, calls) => {
      const { signal } = new AbortController();
      for (let index = 0; index < 600; index += 1) await call(index, end, signal);
      const open = openHandles();
      const before = await heapInUse(gc);
      let unclosed = 0;
      for (let index = 0; index < calls; index += 1) unclosed += await call(index, end, signal);
      const handles = await newHandles(open);
      const growth = (await heapInUse(gc)) - before;
      expect({ unclosed, handles, listeners: getEventListeners(signal, "abort").length }).toEqual({
        unclosed: 0,
        handles: [],
        listeners: 0,
      });
      expect(growth / calls).toBeLessThan(1024);
    },
    120_000,
  );
});
