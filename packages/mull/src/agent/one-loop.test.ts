import { describe, expect, test } from "vitest";
import { failureOf } from "../../../../test/loopback.ts";
import { streamChat } from "../chat/ask.ts";
import type { Fetch } from "../types/http.ts";
import { Agent } from "./agent.ts";

const frame = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const answer = [
  frame({ type: "message_start", message: { id: "m", role: "assistant", usage: {} } }),
  frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  ...["a", "b", "c", "d"].map((text) =>
    frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
  ),
  frame({ type: "content_block_stop", index: 0 }),
  frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }),
  frame({ type: "message_stop" }),
];

/** A frame a chunk, so that loops could take turns. */
const fetch: Fetch = async () => {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = answer[at++];
      if (next === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(next));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

const options = { apiKey: "k", fetch };
const question = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

interface Opened {
  readonly loop: () => AsyncIterable<unknown>;
  readonly result: () => Promise<unknown>;
}

const streams: Readonly<Record<string, () => Opened>> = {
  streamChat: () => {
    const stream = streamChat("claude-opus-5-5", question, options);
    return { loop: () => stream, result: () => stream.result() };
  },
  "Agent, chunks": () => {
    const stream = new Agent("claude-opus-5-5", options).sendStream("Hi");
    return { loop: () => stream, result: () => stream.result() };
  },
  "Agent, events": () => {
    const stream = new Agent("claude-opus-5-5", options).sendStream("Hi");
    return { loop: () => stream.events(), result: () => stream.result() };
  },
};

async function collect(iterable: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const each of iterable) all.push(each);
  return all;
}

describe.each(Object.entries(streams))("%s", (_name, open) => {
  test("a loop that begins after result() has all events", async () => {
    const expected = (await collect(open().loop())).length;
    const stream = open();
    const result = stream.result();
    await new Promise((resolve) => setTimeout(resolve, 15));
    expect(await collect(stream.loop())).toHaveLength(expected);
    expect(await result).toMatchObject({ text: "abcd" });
    const late = open();
    await late.result();
    expect(await collect(late.loop())).toHaveLength(expected);
  });

  test("a second loop is refused, and the first one has all events", async () => {
    const expected = (await collect(open().loop())).length;
    const stream = open();
    const first = collect(stream.loop());
    const second = failureOf(collect(stream.loop()));
    expect(await second).toMatchObject({ category: "invalid_argument", code: "already_read" });
    expect(await first).toHaveLength(expected);
    expect(await failureOf(collect(stream.loop()))).toMatchObject({ code: "already_read" });
    expect(await stream.result()).toMatchObject({ text: "abcd" });
  });

  test("an iterator that was asked for by hand can be looped over", async () => {
    const expected = (await collect(open().loop())).length;
    const iterator = open().loop()[Symbol.asyncIterator]();
    await iterator.next();
    const rest = iterator as AsyncIterableIterator<unknown>;
    expect(await collect(rest)).toHaveLength(expected - 1);
  });
});

test("the chunks and the events of a turn are one stream", async () => {
  const stream = new Agent("claude-opus-5-5", options).sendStream("Hi");
  const chunks = collect(stream);
  expect(await failureOf(collect(stream.events()))).toMatchObject({ code: "already_read" });
  expect((await chunks).length).toBeGreaterThan(4);
});
