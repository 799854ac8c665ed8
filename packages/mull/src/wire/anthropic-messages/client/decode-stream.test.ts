import { expect, test } from "vitest";
import type { StreamEvent } from "../../../types/event.ts";
import type { JsonObject } from "../../../types/json.ts";
import { decodeStream } from "./decode-stream.ts";
import {
  block,
  call,
  closed,
  context,
  delta,
  end,
  failing,
  partsOf,
  run,
  says,
  signs,
  start,
  stop,
  thinks,
  thought,
  writes,
} from "../testing/frames.ts";

test("R142 R156 R161: each delta is one event, the block end carries the whole part", () => {
  const { events } = run([
    start,
    block(0, thought),
    thinks(0, "a"),
    thinks(0, "b"),
    signs(0, "sig"),
    closed(0),
    { type: "ping" },
    block(1, { type: "text", text: "" }),
    says(1, "hi"),
    closed(1),
    end,
    stop,
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    "start",
    "thinking",
    "thinking",
    "part",
    "text",
    "part",
    "finish",
  ]);
  expect(events[3]).toMatchObject({
    part: {
      text: "ab",
      visibility: "summary",
      durationMs: 5,
      seal: { prefix: "fingerprint", data: { signature: "sig" } },
    },
  });
});

test("R101 R222 P-A7: a signature in the start event counts, and empty thinking keeps it", () => {
  expect(partsOf([block(0, { ...thought, signature: "early" }), closed(0)])).toMatchObject([
    { text: "", visibility: "hidden", seal: { data: { signature: "early" } } },
  ]);
});

test("R100: thinking under `text` is read as thinking", () => {
  const text = { type: "thinking", text: "so " };
  expect(
    partsOf([
      block(0, text),
      delta(0, { type: "thinking_delta", text: "far" }),
      says(0, "."),
      closed(0),
    ]),
  ).toMatchObject([{ type: "thinking", text: "so far." }]);
});

test("P-E2: a signature in two deltas is joined, the same one twice is not doubled", () => {
  const seal = { seal: { data: { signature: "ab" } } };
  expect(partsOf([block(0, thought), signs(0, "a"), signs(0, "b"), closed(0)])).toMatchObject([
    seal,
  ]);
  expect(partsOf([block(0, thought), signs(0, "ab"), signs(0, "ab"), closed(0)])).toMatchObject([
    seal,
  ]);
});

test("P-E3: a redacted block arrives whole in its start event", () => {
  const { events } = run([
    start,
    block(0, { type: "redacted_thinking", data: "xyz" }),
    closed(0),
    end,
    stop,
  ]);
  expect(events.map(({ type }) => type)).toEqual(["start", "part", "finish"]);
  expect(events[1]).toMatchObject({
    part: { visibility: "redacted", text: "", seal: { data: { redacted: "xyz" } } },
  });
});

test("F-S8: events that come twice double nothing", () => {
  const { events } = run([
    start,
    start,
    block(0, call),
    block(0, call),
    writes(0, '{"a":'),
    writes(0, "1}"),
    closed(0),
    closed(0),
    end,
    end,
    stop,
    stop,
    says(0, "late"),
  ]);
  expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(1);
  const last = events.at(-1);
  expect(last).toMatchObject({
    type: "finish",
    reply: {
      usage: { input: 3, output: 9, total: 12 },
      message: { parts: [{ id: "toolu_1", input: { a: 1 } }] },
    },
  });
});

test("F-S9: interleaved blocks keep their order, even one that starts early", () => {
  const text = { type: "text", text: "" };
  expect(
    partsOf([
      block(1, text),
      says(1, "b"),
      block(0, text),
      says(0, "a"),
      says(1, "!"),
      closed(1),
      closed(0),
    ]),
  ).toMatchObject([{ text: "a" }, { text: "b!" }]);
});

test.each([
  [
    "delta without a start",
    [start, says(0, "x")],
    "content_block_delta for a block that never started",
  ],
  [
    "delta for an ended block",
    [start, block(0, { type: "text" }), closed(0), says(0, "x")],
    "content_block_delta for a block that has ended",
  ],
  ["stop without a start", [start, closed(2)], "content_block_stop for a block that never started"],
  [
    "a block far ahead",
    [start, block(7, { type: "text" })],
    "content_block_start with an impossible index",
  ],
  [
    "an index that isn't a number",
    [start, { type: "content_block_start", index: "0" }],
    "content_block_start with an impossible index",
  ],
  [
    "a negative index",
    [start, block(-1, { type: "text" })],
    "content_block_start with an impossible index",
  ],
  [
    "a block before the message",
    [block(0, { type: "text" })],
    "content_block_start before message_start",
  ],
  [
    "thinking in a text block",
    [start, block(0, { type: "text" }), thinks(0, "x")],
    "thinking_delta in a text block",
  ],
  [
    "arguments in a text block",
    [start, block(0, { type: "text" }), writes(0, "x")],
    "input_json_delta in a text block",
  ],
  ["text in a call", [start, block(0, call), says(0, "x")], "text_delta in a tool block"],
] as const)("F-S9: %s is a protocol error that names the event", (_, frames, text) => {
  const error = failing(frames);
  expect(error).toMatchObject({
    category: "protocol",
    code: "out_of_order",
    provider: "anthropic",
  });
  expect(error.message).toContain(text);
});

test("F-S16: unknown events and deltas are skipped, unknown blocks kept whole", () => {
  const odd = { type: "odd", text: "a", list: [1] };
  const parts = partsOf([
    { type: "novelty" },
    "[DONE]",
    {},
    block(0, odd),
    says(0, "b"),
    thinks(0, "c"),
    delta(0, { type: "odd_delta", more: 1, list: [2], none: null }),
    delta(0, { type: "odd_delta", text: "d" }),
    closed(0),
    block(1, { type: "text", text: "x" }),
    delta(1, { type: "novel_delta", y: 1 }),
    closed(1),
  ]);
  expect(parts).toEqual([
    {
      type: "opaque",
      wire: "anthropic-messages",
      kind: "odd",
      data: { type: "odd", text: "abd", thinking: "c", more: 1, list: [2] },
    },
    { type: "text", text: "x" },
  ]);
});

test("server tools and compaction are read back into their blocks", () => {
  expect(
    partsOf([
      block(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      writes(0, '{"q":1}'),
      closed(0),
      block(1, { type: "compaction", content: null }),
      delta(1, { type: "compaction_delta", content: "short" }),
      closed(1),
    ]),
  ).toMatchObject([
    { kind: "server_tool_use", data: { input: { q: 1 } } },
    { kind: "compaction", data: { content: "short" } },
  ]);
});

const cite = (n: number): JsonObject => delta(0, { type: "citations_delta", citation: { n } });

test("citations are collected", () => {
  expect(
    partsOf([
      block(0, { type: "text", text: "", citations: [] }),
      says(0, "x"),
      cite(1),
      cite(2),
      delta(0, { type: "citations_delta" }),
      closed(0),
    ]),
  ).toMatchObject([{ text: "x", extra: { fields: { citations: [{ n: 1 }, { n: 2 }, null] } } }]);
  expect(partsOf([block(0, { type: "text", text: "" }), cite(1), closed(0)])).toMatchObject([
    { extra: { fields: { citations: [{ n: 1 }] } } },
  ]);
});

test("a continued code execution has its calls in message_start", () => {
  const { events, decoder } = run([
    { type: "message_start", message: { id: "m", content: [call], stop_reason: "tool_use" } },
    stop,
  ]);
  expect(events.map(({ type }) => type)).toEqual(["start", "tool-call", "part", "finish"]);
  expect(decoder.finished()).toBe(true);
  expect(decoder.partial()).toMatchObject({ finish: { reason: "tool-calls" }, usage: {} });
  expect(() => decoder.end([])).not.toThrow();
});

test("a missing block end is made up for by the end of the message; type may be in the event name", () => {
  const decoder = decodeStream(context);
  const events: StreamEvent[] = [];
  decoder.push("{}", "message_start", events);
  decoder.push(
    JSON.stringify(block(0, { type: "tool_use", name: "f", input: { a: 1 } })),
    undefined,
    events,
  );
  decoder.push("{}", "message_delta", events);
  decoder.push("{}", "message_stop", events);
  expect(events.at(-1)).toMatchObject({
    reply: {
      message: { parts: [{ id: "made-here", localId: true, input: { a: 1 } }] },
      finish: { reason: "tool-calls", note: "the service gave no stop reason" },
    },
  });
});
