import { hmacSha256 } from "../seal/sha256.ts";

/** Source of bytes for ids and secrets. */
export type RandomBytes = (length: number) => Uint8Array;

const encoder = new TextEncoder();

/** The same seed gives the same bytes in the same order. Without a seed, the platform's random source is used. */
export const createRandom = (seed: string | undefined): RandomBytes => {
  if (seed === undefined) return (length) => crypto.getRandomValues(new Uint8Array(length));
  const key = encoder.encode(seed);
  let drawn = 0;
  return (length) => {
    const bytes = new Uint8Array(length);
    for (let offset = 0; offset < length; offset += 32) {
      const block = hmacSha256(key, encoder.encode(String(drawn)));
      bytes.set(block.subarray(0, Math.min(32, length - offset)), offset);
      drawn += 1;
    }
    return bytes;
  };
};

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Letters and digits, as most ids are made of. */
export const randomText = (
  random: RandomBytes,
  length: number,
  alphabet: string = letters,
): string => {
  let text = "";
  for (const byte of random(length)) text += alphabet[byte % alphabet.length] as string;
  return text;
};

export const hexDigits = "0123456789abcdef";
export const lowerLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
