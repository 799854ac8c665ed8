import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The token in a cookie that the library signed (`token.signature`). We check every new cookie
 * ourselves: the library takes a third of a millisecond, and a flood of made-up cookies must cost
 * nothing.
 */
export function tokenIn(cookie: string, secret: string): string | undefined {
  const value = decode(cookie);
  const at = value.lastIndexOf(".");
  const token = value.slice(0, Math.max(at, 0));
  const expected = Buffer.from(signatureOf(token, secret));
  const given = Buffer.from(value.slice(at + 1));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

/** A cookie value that the library accepts. */
export const signToken = (token: string, secret: string): string =>
  encodeURIComponent(`${token}.${signatureOf(token, secret)}`);

const signatureOf = (token: string, secret: string): string =>
  createHmac("sha256", secret).update(token).digest("base64");

function decode(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return "";
  }
}
