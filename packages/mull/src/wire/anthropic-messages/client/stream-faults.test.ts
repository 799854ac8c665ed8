import { expect, test } from "vitest";
import {
  block,
  call,
  closed,
  failing,
  partsOf,
  run,
  says,
  signs,
  start,
  thinks,
  thought,
  writes,
} from "../testing/frames.ts";

test("F-S11: names of the prototype are data", () => {
  const hostile =
    '{"type":"tool_use","id":"__proto__","name":"constructor","input":{},"__proto__":{"x":1}}';
  const json = '{"__proto__":{"polluted":true},"toString":1}';
  const parts = partsOf([
    `{"type":"content_block_start","index":0,"content_block":${hostile}}`,
    writes(0, json),
    closed(0),
    '{"type":"content_block_start","index":1,"content_block":{"type":"odd"}}',
    '{"type":"content_block_delta","index":1,"delta":{"type":"odd_delta","__proto__":{"polluted":true}}}',
    closed(1),
    '{"type":"message_delta","delta":{"__proto__":{"polluted":true}},"usage":{"__proto__":{"polluted":true}}}',
  ]);
  expect(JSON.stringify(parts)).toContain('"input":{"__proto__":{"polluted":true},"toString":1}');
  expect(parts).toMatchObject([{ id: "__proto__", name: "constructor" }, { kind: "odd" }]);
  expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
});

test("F-S14: a frame that isn't JSON names the event and does not quote it", () => {
  for (const data of [
    "{secret",
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"secret\\x"}}',
    "[1]",
    '"x"',
  ]) {
    const error = failing([start, data], "content_block_delta");
    expect(error).toMatchObject({ category: "protocol", code: "invalid_json" });
    expect(error.message).toContain("event 2 (content_block_delta)");
    expect(error.message).not.toContain("secret");
  }
  expect(failing(["{"]).message).toContain("(unnamed)");
});

test("F-S17 F-S18 P-E1: a cut stream keeps finished blocks and no piece of a signature", () => {
  const error = failing([
    start,
    block(0, thought),
    thinks(0, "done"),
    signs(0, "whole"),
    closed(0),
    block(1, thought),
    thinks(1, "half"),
    signs(1, "par"),
  ]);
  expect(error).toMatchObject({ category: "protocol", code: "truncated" });
  expect(error.partial).toMatchObject({
    finish: { reason: "error" },
    message: { interrupted: true },
  });
  const [first, second] = error.partial?.message.parts ?? [];
  expect(first).toMatchObject({ text: "done", seal: { data: { signature: "whole" } } });
  expect(second).toMatchObject({ text: "half", visibility: "summary", cut: true, send: false });
  expect(JSON.stringify(second)).not.toContain('par"');
  expect(second).not.toHaveProperty("seal");
});

test("F-S17: cut text and calls are kept for reading only, empty and opaque blocks are not", () => {
  const { decoder } = run([
    start,
    block(0, { type: "text" }),
    says(0, "hal"),
    block(1, call),
    writes(1, '{"a'),
    block(2, { type: "odd" }),
    block(3, { type: "text" }),
  ]);
  expect(decoder.finished()).toBe(false);
  expect(decoder.partial().message.parts).toEqual([
    { type: "text", text: "hal", cut: true, send: false },
    {
      type: "tool-call",
      id: "toolu_1",
      name: "f",
      input: {},
      invalid: { raw: '{"a', reason: "the stream broke inside the arguments" },
      cut: true,
      send: false,
    },
  ]);
});

test("F-N8: an empty body is not an answer", () => {
  expect(failing([])).toMatchObject({ category: "protocol", code: "empty_response" });
});

test("F-S20: arguments that aren't an object are marked, not run", () => {
  expect(
    partsOf([
      block(0, call),
      writes(0, '{"a":'),
      closed(0),
      block(1, call),
      writes(1, "[1]"),
      closed(1),
      block(2, call),
      closed(2),
    ]),
  ).toMatchObject([
    { input: {}, invalid: { raw: '{"a":', reason: "arguments are not valid JSON" } },
    { input: {}, invalid: { raw: "[1]" } },
    { input: {} },
  ]);
});

test("F-S21: arguments nested too deep are marked, a frame nested too deep is refused", () => {
  const deep = `${'{"a":'.repeat(600)}1${"}".repeat(600)}`;
  expect(partsOf([block(0, call), writes(0, deep), closed(0)])).toMatchObject([
    { input: {}, invalid: { reason: expect.stringContaining("512") } },
  ]);
  expect(
    failing([
      start,
      `{"type":"content_block_start","index":0,"content_block":{"type":"odd","x":${deep}}}`,
    ]),
  ).toMatchObject({ code: "invalid_json" });
});

test("F-S23: lone surrogates pass untouched", () => {
  expect(
    partsOf([
      block(0, { type: "text", text: "" }),
      says(0, "\ud83d"),
      says(0, "\udc00|\udc00"),
      closed(0),
    ]),
  ).toMatchObject([{ text: "\ud83d\udc00|\udc00" }]);
});

test("F-R8: an error event is the service's error, with what had arrived", () => {
  const error = failing([
    start,
    block(0, { type: "text", text: "so" }),
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  ]);
  expect(error).toMatchObject({
    category: "overloaded",
    code: "overloaded_error",
    retryable: true,
  });
  expect(error.message).toContain("Overloaded");
  expect(error.partial?.message.parts).toMatchObject([{ text: "so", cut: true }]);
});
