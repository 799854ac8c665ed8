import { expect, test } from "vitest";
import { plural } from "./words.ts";

test("a number and its noun", () => {
  expect(plural(1, "token")).toBe("1 token");
  expect(plural(1024, "token")).toBe("1,024 tokens");
  expect(plural(2, "reply", "replies")).toBe("2 replies");
});
