import { tokenIn } from "./signed-cookie.ts";
import { hashToken } from "./store-adapter.ts";

/** The name under which the store has a session, taken from a cookie that we signed. */
export type ReadCookie = (cookie: string) => string | undefined;

/**
 * Checks each signature once instead of with every request: a valid one stays valid. Whether the
 * session is still open, the store says every time. Cookies with a wrong signature aren't
 * remembered.
 */
export function createCookieReader(secret: string, most = 1000): ReadCookie {
  const known = new Map<string, string>();
  return (cookie) => {
    const found = known.get(cookie);
    if (found !== undefined) return found;
    const token = tokenIn(cookie, secret);
    if (token === undefined) return undefined;
    const name = hashToken(token);
    const [oldest] = known.keys();
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    // A copy, because a slice would keep the whole header in memory.
    known.set(Buffer.from(cookie).toString(), name);
    return name;
  };
}
