import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../types/json.ts";
import type { Message } from "../types/message.ts";
import type { AnyTool } from "../types/tool.ts";
import { addToPrefix, createPrefix, prefixValue } from "./fingerprint.ts";

const fingerprint = (
  messages: readonly Message[],
  system?: string,
  tools?: readonly AnyTool[],
): string => {
  const prefix = createPrefix(system, tools);
  for (const message of messages) addToPrefix(prefix, message);
  return prefixValue(prefix);
};

const said = (...texts: readonly string[]): Message => ({
  role: "user",
  parts: texts.map((text) => ({ type: "text", text })),
});
const called = (input: JsonValue, id = "c"): Message => ({
  role: "assistant",
  parts: [{ type: "tool-call", id, name: "f", input }],
});

const readBack = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

describe("P-A5 the fingerprint of a prefix", () => {
  test("one character more, less or other is another fingerprint, at any length", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 5000 }),
        fc.nat(),
        fc.constantFrom("a", "~", "\0", "é", "\u{1F600}"),
        (text, seed, char) => {
          const at = seed % (text.length + 1);
          const edits = [
            text.slice(0, at) + char + text.slice(at),
            text.slice(0, at) + char + text.slice(at + 1),
            text.slice(0, at) + text.slice(at + 1),
          ].filter((edit) => edit !== text);
          for (const edit of edits)
            expect(fingerprint([said(edit)])).not.toBe(fingerprint([said(text)]));
        },
      ),
    );
  });

  test("arguments count by value, through JSON and back", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        const [one, other] = [a as JsonValue, b as JsonValue];
        expect(fingerprint([called(readBack(one))])).toBe(fingerprint([called(one)]));
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(fingerprint([called(one)]) === fingerprint([called(other)])).toBe(isSame);
      }),
    );
  });

  const apart: readonly (readonly [
    what: string,
    one: readonly Message[],
    other: readonly Message[],
  ])[] = [
    ["where a text ends", [said("ab", "c")], [said("a", "bc")]],
    ["which message a text is in", [said("a", "b")], [said("a"), said("b")]],
    ["who said it", [said("a")], [{ role: "assistant", parts: [{ type: "text", text: "a" }] }]],
    ["order", [said("a"), said("b")], [said("b"), said("a")]],
    ["nesting", [called([[1], 2])], [called([[1, 2]])]],
    ["a key and a value", [called({ a: "b" })], [called(["a", "b"])]],
    ["a number and its digits", [called({ a: 1 })], [called({ a: "1" })]],
  ];
  test.each(apart)("tells apart: %s", (_, one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });

  test("thinking, call ids, absent fields and the order of tools do not count", () => {
    const tools: readonly AnyTool[] = [
      { name: "a", inputSchema: { type: "object" } },
      { vendor: { wire: "anthropic-messages", fields: { type: "web_search" } } },
    ];
    const thought: Message = {
      role: "assistant",
      parts: [
        { type: "thinking", text: "hm", visibility: "full" },
        { type: "tool-call", id: "other", name: "f", input: { a: 1, b: undefined } },
      ],
    };
    expect(fingerprint([thought], "s", tools.toReversed())).toBe(
      fingerprint([called({ a: 1 })], "s", tools),
    );
    expect(fingerprint([thought], "s", tools)).not.toBe(fingerprint([thought], "t", tools));
    expect(fingerprint([thought], "s", tools)).not.toBe(fingerprint([thought], "s"));
  });
});
