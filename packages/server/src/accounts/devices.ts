import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readCookie } from "../http/cookie.ts";

/** Remembers where somebody has signed in before, so that guesses made elsewhere cannot lock them out. */
export interface Devices {
  /** The `set-cookie` line for a browser that signed in to this account. */
  readonly cookieFor: (name: string) => string;
  /** What guesses from this browser are counted under; `undefined` where nobody signed in before. */
  readonly find: (cookies: string | null, name: string) => string | undefined;
}

const ageSeconds = 400 * 24 * 60 * 60;

/** Says nothing of an account, and opens none: it only has guesses counted apart from everyone else's. */
export function createDevices(secret: string, isSecure: boolean): Devices {
  const sign = (name: string, id: string): string =>
    createHmac("sha256", secret).update(`device\n${name.toLowerCase()}\n${id}`).digest("base64url");
  /** One for each account: two people may share a browser. */
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
