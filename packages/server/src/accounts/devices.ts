import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readCookie } from "../http/cookie.ts";

/**
 * Remembers which browsers have signed in, so that guesses made elsewhere can't lock their owners
 * out.
 */
export interface Devices {
  /** The `set-cookie` line for a browser that signed in to this account. */
  readonly cookieFor: (name: string) => string;
  /**
   * The key that guesses from this browser count under; `undefined` if nobody has signed in from
   * it.
   */
  readonly find: (cookies: string | null, name: string) => string | undefined;
}

const ageSeconds = 400 * 24 * 60 * 60;

/**
 * The cookie reveals nothing about an account and opens none. It only makes guesses count
 * separately.
 */
export function createDevices(secret: string, isSecure: boolean): Devices {
  const sign = (name: string, id: string): string =>
    createHmac("sha256", secret).update(`device\n${name.toLowerCase()}\n${id}`).digest("base64url");
  /** One cookie for each account: two people may share a browser. */
  const cookieName = (name: string): string => {
    const account = createHash("sha256").update(name.toLowerCase()).digest("hex").slice(0, 12);
    return `${isSecure ? "__Host-" : ""}mull-device-${account}`;
  };
  return {
    cookieFor: (name) => {
      const id = randomBytes(16).toString("base64url");
      const rights = `Max-Age=${ageSeconds}; Path=/; HttpOnly;${isSecure ? " Secure;" : ""} SameSite=Lax`;
      return `${cookieName(name)}=${id}.${sign(name, id)}; ${rights}`;
    },
    find: (cookies, name) => {
      const [id = "", signature = ""] = (readCookie(cookies, cookieName(name)) ?? "").split(".");
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(name, id))];
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
    },
  };
}
