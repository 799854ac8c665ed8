import { describe, expect, it } from "vitest";

import { mintSeal, openSeal, sealName, type SealFacts } from "./seal.ts";

const facts: SealFacts = {
  wire: "anthropic-messages",
  kind: "thinking",
  model: "claude-opus-5-5",
  account: "a1",
  content: "c1",
  prefix: "p1",
  reply: "msg_1",
  index: 0,
  count: 1,
  before: 0,
  previous: "",
};
const secret = "a secret of this emulator";

describe("seals", () => {
  it("open to what they were minted for, on every wire", () => {
    for (const wire of [
      "anthropic-messages",
      "openai-responses",
      "openai-chat",
      "google-generate",
    ] as const) {
      const sealed = { ...facts, wire };
      expect(openSeal(secret, wire, mintSeal(secret, sealed))).toEqual(sealed);
    }
  });

  it("look like the services' own", () => {
    expect(mintSeal(secret, facts)).toMatch(/^E[n-v][A-Za-z0-9+/]+={0,2}$/);
    expect(mintSeal(secret, { ...facts, wire: "openai-responses" })).toMatch(
      /^gAAAAA[\w-]+={0,2}$/,
    );
    const google = mintSeal(secret, { ...facts, wire: "google-generate" });
    expect(google.length % 4).toBe(0);
    expect(google).toMatch(/^E/);
  });

  it("refuses forged, truncated, altered and foreign seals", () => {
    const seal = mintSeal(secret, facts);
    const middle = Math.floor(seal.length / 2);
    const altered =
      seal.slice(0, middle) + (seal[middle] === "A" ? "B" : "A") + seal.slice(middle + 1);
    for (const bad of [
      "",
      "forged",
      "EqQBCkYIBRgCKkD=",
      seal.slice(0, -8),
      seal.slice(8),
      altered,
    ]) {
      expect(openSeal(secret, "anthropic-messages", bad)).toBeUndefined();
    }
    expect(openSeal("another secret", "anthropic-messages", seal)).toBeUndefined();
    expect(openSeal(secret, "google-generate", seal)).toBeUndefined();
    expect(openSeal(secret, "openai-responses", seal)).toBeUndefined();
  });

  it("have short names that differ", () => {
    expect(sealName(mintSeal(secret, facts))).not.toBe(
      sealName(mintSeal(secret, { ...facts, previous: "other" })),
    );
  });
});
