import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import { findDelta } from "./decode-stream.ts";

const chunk = (delta: JsonValue, choice: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...more,
});
const input = (call: JsonObject): JsonValue => ({ tool_calls: [{ index: 0, ...call }] });
const find = (frame: JsonObject) => findDelta(frame, ["reasoning_content"]);

test.each([
  ["text", chunk({ content: "a" }), { key: "content", text: "a", to: { kind: "text" } }],
  [
    "text beside empty fields",
    chunk({ role: "assistant", content: "a", reasoning_content: null, tool_calls: [] }),
    { key: "content", text: "a", to: { kind: "text" } },
  ],
  [
    "text without an index",
    { choices: [{ delta: { content: "a" } }] },
    { key: "content", text: "a", to: { kind: "text" } },
  ],
  [
    "thinking",
    chunk({ reasoning_content: "a" }),
    { key: "reasoning_content", text: "a", to: { kind: "thinking", field: "reasoning_content" } },
  ],
  [
    "arguments",
    chunk(input({ type: "function", function: { arguments: "{" } })),
    { key: "arguments", text: "{", to: { kind: "input", call: 0 } },
  ],
])("the one thing a chunk says: %s", (_, frame, found) => {
  expect(find(frame)).toEqual(found);
});

test("nothing is found in a chunk that says more than one thing, or nothing", () => {
  const unfit: readonly JsonObject[] = [
    chunk({ content: "a" }, { index: 1 }),
    chunk({ content: "a" }, { usage: {} }),
    chunk({ content: "a" }, { finish_reason: "stop" }),
    chunk({ content: "a", reasoning_content: "b" }),
    chunk({ content: "" }),
    chunk({ content: ["a"] }),
    chunk({ novelty: "a" }),
    chunk(null),
    chunk({ content: "a" }, {}, { error: "x" }),
    chunk({ content: "a" }, {}, { usage: {} }),
    { choices: [7] },
    { choices: [] },
    { choices: {} },
    chunk(input({ id: "c", function: { arguments: "{" } })),
    chunk(input({ function: { name: "f", arguments: "{" } })),
    chunk(input({ function: { arguments: {} } })),
    chunk(input({ custom: { input: "x" } })),
    chunk(input({ index: null, function: { arguments: "{" } })),
    chunk({ tool_calls: [7] }),
    chunk({ tool_calls: [{}, {}] }),
    chunk({ tool_calls: "x" }),
  ];
  expect(unfit.filter((frame) => find(frame) !== undefined)).toEqual([]);
});
