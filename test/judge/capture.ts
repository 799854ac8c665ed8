import type { Fetch, JsonObject } from "mull";
import type { VendorType } from "./vendor-types.ts";

/** A request as it went out. */
export interface Captured {
  readonly type: VendorType;
  readonly body: JsonObject;
}

/** Reads which vendor a request is for from where it goes. Betas stand in the header, and in the type's body. */
export function readRequest(url: string, init: RequestInit): Captured {
  const sent = JSON.parse(init.body as string) as JsonObject;
  const { pathname } = new URL(url);
  const betas = new Headers(init.headers).get("anthropic-beta")?.split(",");
  if (pathname.endsWith("/messages"))
    return betas === undefined
      ? { type: "anthropic-request", body: sent }
      : { type: "anthropic-beta-request", body: { ...sent, betas } };
  if (pathname.endsWith("/responses")) return { type: "responses-request", body: sent };
  if (pathname.endsWith("/chat/completions")) return { type: "chat-request", body: sent };
  if (/:(?:stream)?[gG]enerateContent$/.test(pathname))
    return { type: "google-request", body: sent };
  throw new Error(`No vendor's type is known for ${pathname}.`);
}

/** A `fetch` that shows every request before it is answered. */
export const capturing =
  (answer: Fetch, show: (request: Captured) => void): Fetch =>
  (url, init) => {
    show(readRequest(url, init));
    return answer(url, init);
  };
