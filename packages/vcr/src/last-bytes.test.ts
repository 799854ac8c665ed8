import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { play } from "./play.ts";
import { readCassette } from "./read-cassette.ts";
import { record } from "./record.ts";
import { makeDirectory } from "./testing/loopback.ts";

const encoder = new TextEncoder();

/** A body that a test writes and ends by hand. */
const bodyByHand = (): {
  readonly body: ReadableStream<Uint8Array>;
  readonly write: (text: string) => void;
  readonly end: () => void;
} => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  return {
    body,
    write: (text) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
  };
};

describe("R268 done() after a client has its answer", () => {
  test("waits for one that reads the last bytes on the side", async () => {
    const cassette = join(await makeDirectory(), "late.jsonl");
    const { body, write, end } = bodyByHand();
    const live = record({ cassette, fetch: async () => new Response(body) });
    write("answer");
    const reader = (await live("https://api.example.test/")).body?.getReader();
    await reader?.read();
    const draining = (async () => {
      while ((await reader?.read())?.done === false);
    })();
    const done = live.done();
    write("[DONE]");
    end();
    await Promise.all([done, draining]);
    expect(readCassette(cassette).exchanges).toMatchObject([{ end: "complete" }]);
    const replayed = await play(cassette)("https://api.example.test/");
    expect(await replayed.text()).toBe("answer[DONE]");
  });

  test("waits for many chunks and gathers no listeners meanwhile", async () => {
    const cassette = join(await makeDirectory(), "many.jsonl");
    const { body, write, end } = bodyByHand();
    const live = record({ cassette, fetch: async () => new Response(body) });
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    const reading = (await live("https://api.example.test/")).text();
    const done = live.done();
    for (let chunk = 0; chunk < 20; chunk++) {
      await pause(1);
      write(".");
    }
    end();
    await Promise.all([done, reading]);
    await pause(1);
    process.off("warning", onWarning);
    expect(await reading).toBe(".".repeat(20));
    expect(warnings).toEqual([]);
  });

  test("refuses a body that was left in the middle", async () => {
    const cassette = join(await makeDirectory(), "left.jsonl");
    const { body, write } = bodyByHand();
    const live = record({ cassette, fetch: async () => new Response(body) });
    write("half");
    await (await live("https://api.example.test/")).body?.getReader().read();
    await expect(live.done()).rejects.toThrow("a response is still being read");
  });
});

test("F-V6 a reader who leaves is let go, whatever the connection does", async () => {
  const cassette = join(await makeDirectory(), "left.jsonl");
  const { body, write } = bodyByHand();
  write("data: 1\n\n");
  const live = record({ cassette, fetch: async () => new Response(body) });
  const leaving = new AbortController();
  const response = await live("https://api.example.test/v1", { signal: leaving.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  const rest = reader?.read();
  leaving.abort();
  await expect(rest).rejects.toMatchObject({ name: "AbortError" });
  await live.done();
  expect(readCassette(cassette).exchanges).toMatchObject([{ end: "cancelled" }]);
});
