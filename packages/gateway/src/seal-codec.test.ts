import type { Origin } from "mull";
import { describe, expect, test } from "vitest";

import { createSealCodec, sealMark, type CarriedLoad } from "./seal-codec.ts";

const origin: Origin = {
  wire: "anthropic-messages",
  provider: "anthropic",
  endpoint: "https://api.anthropic.com",
  model: "claude-opus-5-5",
  account: "0123456789ab",
};

/** A load with a signature of this many characters. */
const load = (length: number): CarriedLoad => {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil((length * 3) / 4)));
  const signature = btoa(String.fromCodePoint(...bytes)).slice(0, length);
  return {
    origin,
    thoughts: [{ at: 0, text: "Hm, é 😀.", visibility: "summary", seal: { data: { signature } } }],
    id: "toolu_01",
  };
};

describe("carried seals", () => {
  const codec = createSealCodec("one secret for all gateways");

  test("are standard base64 without a dot, of a length divisible by four, with the mark inside", () => {
    for (let length = 1; length < 40; length++) {
      const carried = load(length);
      const seal = codec.seal(carried);
      expect(seal).toMatch(/^[A-Za-z0-9+/]+$/);
      expect(seal.length % 4).toBe(0);
      expect(seal.startsWith(sealMark)).toBe(true);
      expect(codec.open(seal)).toEqual(carried);
    }
  });

  test("open again in any gateway with the secret, as seals and as ids", () => {
    const carried = load(120);
    const id = codec.sealId(carried);
    expect(id).toMatch(/^[\w-]{1,512}$/);
    const other = createSealCodec("one secret for all gateways");
    expect(other.open(id)).toEqual(carried);
    expect(other.open(codec.seal(carried))).toEqual(carried);
    expect(other.open(codec.seal(load(20_000)))).toBeDefined();
  });

  test("do not open where a letter changed, or with another secret", () => {
    const seal = codec.seal(load(100));
    for (const at of [8, 30, seal.length - 1]) {
      const letter = seal[at] === "A" ? "B" : "A";
      expect(codec.open(seal.slice(0, at) + letter + seal.slice(at + 1))).toBeUndefined();
    }
    expect(codec.open(seal.slice(0, -4))).toBeUndefined();
    expect(createSealCodec("a secret of somebody else").open(seal)).toBeUndefined();
    expect(codec.open(`${sealMark}!`)).toBeUndefined();
    expect(codec.open("a signature of Claude")).toBeUndefined();
  });
});
