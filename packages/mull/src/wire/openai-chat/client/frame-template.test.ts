import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../types/json.ts";
import { learnTemplate, matchTemplate } from "./frame-template.ts";

const learn = (data: string) =>
  learnTemplate(data, JSON.parse(data) as JsonObject, ["reasoning_content"]);
const frame = (delta: JsonValue, choice: JsonObject = {}, chunk: JsonObject = {}): string =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...choice }], ...chunk });
/** What a template learned from the first frame reads out of the second. */
const read = (first: string, second: string): string | undefined => {
  const template = learn(first);
  return template && matchTemplate(second, template);
};
const input = (call: JsonObject): JsonValue => ({ tool_calls: [{ index: 0, ...call }] });

describe("templates of frames", () => {
  it("read a frame that differs in its delta only", () => {
    expect(read(frame({ content: "a" }), frame({ content: 'b"\n' }))).toBe('b"\n');
    expect(read(frame({ reasoning_content: "a" }), frame({ reasoning_content: "b" }))).toBe("b");
    const args = (text: string): string => frame(input({ function: { arguments: text } }));
    expect(read(args("{"), args("}"))).toBe("}");
    expect(
      read(
        '{"choices": [{"delta": {"content": "a"}}]}',
        '{"choices": [{"delta": {"content": "b"}}]}',
      ),
    ).toBe("b");
  });

  it("see through padding", () => {
    const padded = (text: string, pad: string, end = 1): string =>
      frame({ content: text }, {}, { obfuscation: pad, end });
    expect(read(padded("a", "xx"), padded("b", "yyyy"))).toBe("b");
    expect(read(padded("a", "xx"), padded("b", "yyyy", 2))).toBeUndefined();
    expect(
      read(frame({ content: "a" }, {}, { p: "x" }), frame({ content: "b" }, {}, { p: "" })),
    ).toBe("b");
    expect(read(padded("a", "xx"), padded("b", "yyyy").slice(0, -12))).toBeUndefined();
  });

  it("leave every other frame to the parser", () => {
    const first = frame({ content: "a" });
    const others = [
      frame({ content: "b" }, { finish_reason: "stop" }),
      frame({ content: "b" }, {}, { usage: {} }),
      frame({ content: "b", refusal: "c" }),
      frame({ refusal: "b" }),
      first.slice(0, -1),
      `${first} `,
      first.slice(0, first.indexOf('"a"') + 2),
      "",
    ];
    expect(others.map((other) => read(first, other))).toEqual(others.map(() => undefined));
  });

  it("are not learned from a frame that says more than one thing", () => {
    const unfit = [
      frame({ content: "a" }, { index: 1 }),
      frame({ content: "a" }, { usage: {} }),
      frame({ content: "a" }, { finish_reason: "stop" }),
      frame({ content: "a", reasoning_content: "b" }),
      frame({ content: "" }),
      frame({ content: ["a"] }),
      frame({ novelty: "a" }),
      frame(null),
      frame({ content: "a" }, {}, { error: "x" }),
      '{"choices":[7]}',
      '{"choices":[]}',
      '{"choices":{}}',
      frame(input({ id: "c", function: { arguments: "{" } })),
      frame(input({ function: { name: "f", arguments: "{" } })),
      frame(input({ function: { arguments: {} } })),
      frame(input({ custom: { input: "x" } })),
      frame(input({ index: null, function: { arguments: "{" } })),
      frame({ tool_calls: [7] }),
      frame({ tool_calls: [{}, {}] }),
      frame({ tool_calls: "x" }),
      // The first `content` is not the delta's.
      '{"message":{"content":"a"},"choices":[{"delta":{"content":"a"}}]}',
      '{"choices":[{"delta":{"content" :"a"}}]}',
    ];
    expect(unfit.filter((data) => learn(data) !== undefined)).toEqual([]);
  });
});
