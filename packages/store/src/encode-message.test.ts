import { expect, test } from "vitest";
import { decodeMessage, encodeMessage } from "./encode-message.ts";
import { answers, says } from "./testing/material.ts";

const row = (parts: string, fields = "{}") => ({ role: "assistant", parts, fields }) as const;

test("F-H4: what was encoded comes back as it was, with nothing unreadable", () => {
  for (const message of [says("hi"), answers("ho")]) {
    expect(decodeMessage(encodeMessage(message))).toEqual({ message });
  }
});

test.each([
  ["a part of a newer release", '[{"type":"hologram","volume":1}]', "parts[1].type"],
  ["a part without its text", '[{"type":"text","words":"hi"}]', "parts[1].text"],
  ["a part of another role", '[{"type":"tool-result","callId":"a"}]', "parts[1].type"],
  ["a part that is a number", "[7]", "parts[1]"],
  ["a part that is nothing", "[null]", "parts[1]"],
  ["a seal that is none", '[{"type":"text","text":"x","seal":"y"}]', "parts[1].seal"],
])("F-H2: %s is left out and told, the rest is read", (_, parts, path) => {
  const good = { type: "text", text: "before" };
  const list = [good, ...(JSON.parse(parts) as unknown[])];
  const { message, unreadable } = decodeMessage(row(JSON.stringify(list)));
  expect(message.parts).toEqual([good]);
  expect(unreadable).toMatchObject([{ path, value: list[1] }]);
  expect(unreadable?.[0]?.message).toMatch(/^parts\[1\]\S* is not /);
});

test.each([
  ["parts that are an object", '{"0":{"type":"text"}}', "{}", "parts"],
  ["parts that are a text", '"hello"', "{}", "parts"],
  ["fields that are a list", '[{"type":"text","text":"x"}]', "[1]", "fields"],
  ["fields that are nothing", '[{"type":"text","text":"x"}]', "null", "fields"],
])("F-H2: %s are told as they are", (_, parts, fields, path) => {
  const { message, unreadable } = decodeMessage(row(parts, fields));
  expect(message.role).toBe("assistant");
  const stored = JSON.parse(path === "parts" ? parts : fields) as unknown;
  expect(unreadable).toMatchObject([{ path, value: stored }]);
});
