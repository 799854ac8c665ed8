import { expect, test } from "vitest";
import { encodeJson, isDeeperThan, storeLimits } from "./encode-json.ts";

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { inner: value };
  return value;
};

test("F-H6: the depth limit is exact, and deep values do not overflow the stack", () => {
  expect(isDeeperThan(nested(512), 512)).toBe(false);
  expect(isDeeperThan(nested(513), 512)).toBe(true);
  expect(isDeeperThan(nested(1_000_000), 512)).toBe(true);
  expect(isDeeperThan("text", 0)).toBe(false);
});

test("F-H6: too deep and too large say what is allowed and that nothing was stored", () => {
  expect(() => encodeJson("message", nested(8000))).toThrow("message is nested deeper than 512");
  const large = "é".repeat(storeLimits.rowBytes / 2);
  expect(() => encodeJson("message", large)).toThrow(/takes 16777218 bytes; at most 16777216/);
});

test("F-H3: the text has no raw NUL and no lone surrogate", () => {
  const text = encodeJson("message", { "\u0000": "\ud800x\udc00" });
  expect(text).toBe('{"\\u0000":"\\ud800x\\udc00"}');
});
