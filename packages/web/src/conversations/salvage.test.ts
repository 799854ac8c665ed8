import { expect, test } from "vitest";
import { salvageMessages } from "./salvage.ts";

const read = (value: unknown): readonly string[] =>
  salvageMessages(JSON.stringify(value)).map(
    ({ role, parts }) =>
      `${role}: ${parts.map((part) => ("text" in part ? part.text : "")).join("|")}`,
  );

test.each([
  [
    "plain text",
    [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ],
  ],
  [
    "parts",
    {
      messages: [
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [{ text: "Hello" }] },
      ],
    },
  ],
  [
    "a history",
    {
      history: {
        version: 99,
        messages: [
          { role: "user", parts: [{ type: "text", text: "Hi" }] },
          { role: "assistant", parts: [{ type: "thinking" }, { type: "text", text: "Hello" }] },
        ],
      },
    },
  ],
  [
    "contents",
    {
      contents: [
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [{ text: "Hello" }] },
      ],
    },
  ],
])("F-W25: a broken or foreign file is still read: %s", (_, value) => {
  expect(read(value)).toEqual(["user: Hi", "assistant: Hello"]);
});

test.each([["{"], ["null"], ["3"], ['"text"'], ['{"messages":[null,3,{"role":"user"}]}']])(
  "F-W25: nothing to read in %s",
  (file) => {
    expect(salvageMessages(file)).toEqual([]);
  },
);
