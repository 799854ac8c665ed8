import { tokenIn } from "./signed-cookie.ts";
import { hashToken } from "./store-adapter.ts";

/** The name that the store knows a session by, of a cookie that we signed. */
export type ReadCookie = (cookie: string) => string | undefined;

/**
 * Looks at a signature once, not with every request: one that is right stays right. Whether the
 * session is still open only the store says, every time. What is not signed by us is not remembered.
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
    // A copy: a piece of a header would keep the whole of it.
    known.set(Buffer.from(cookie).toString(), name);
    return name;
  };
}
