import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";

import { hex, hmacSha256, sha256, shortHash } from "./sha256.ts";

const bytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + 7) & 255);

describe("SHA-256", () => {
  it("equals the platform's for every length around the block borders", () => {
    for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 1000]) {
      expect(hex(sha256(bytes(length)))).toBe(
        createHash("sha256").update(bytes(length)).digest("hex"),
      );
    }
  });

  it("makes the platform's HMAC for short, block-long and longer keys", () => {
    for (const length of [1, 32, 64, 65, 200]) {
      expect(hex(hmacSha256(bytes(length), bytes(77)))).toBe(
        createHmac("sha256", bytes(length)).update(bytes(77)).digest("hex"),
      );
    }
  });

  it("shortens to 64 bits", () => {
    expect(shortHash("mull")).toBe(createHash("sha256").update("mull").digest("hex").slice(0, 16));
  });
});
