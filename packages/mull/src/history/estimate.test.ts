import { expect, test } from "vitest";
import type { JsonValue } from "../types/json.ts";
import { estimateTokens } from "./estimate.ts";

const inputs: readonly JsonValue[] = [
  {},
  [],
  "free text",
  { city: "Rome", days: [1, -2.5, true, null], more: { a: {}, b: [[], [""]] } },
  { gone: undefined, kept: 1 },
];

test.each(inputs)("F-H1 %j counts as long as it is written", (input) => {
  const call = { type: "tool-call", id: "c", name: "n", input } as const;
  // Four times, as a token is four characters.
  const parts = [call, call, call, call];
  const written = JSON.stringify(input).length;
  expect(estimateTokens([{ role: "assistant", parts }])).toBe(written + call.name.length);
});
