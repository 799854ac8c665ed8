import { createHash } from "node:crypto";
import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { shortSha256 } from "./sha256.ts";

test("any text has the digest the platform gives it", () => {
  assert(
    property(string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const digest = createHash("sha256").update(text).digest("hex");
      expect(shortSha256(text)).toBe(digest.slice(0, 16));
    }),
  );
});
