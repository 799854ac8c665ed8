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

/** What is written back: a `fetch` that shows every event of a stream, and the same answer whole. */
export const capturingReplies =
  (answer: Fetch, whole: Fetch, show: (reply: Captured) => void): Fetch =>
  async (url, init) => {
    const response = await answer(url, init);
    const text = await response.text();
    if (response.ok) {
      const kind = readRequest(url, init).type.replace(/-request$/, "");
      const isGoogle = kind === "google";
      const events = isGoogle ? "google-reply" : (`${kind}-event` as VendorType);
      for (const body of eventsIn(text)) show({ type: events, body });
      const {
        stream: _,
        stream_options: __,
        ...rest
      } = JSON.parse(init.body as string) as JsonObject;
      const once = await whole(url.replace(/:streamGenerateContent.*/, ":generateContent"), {
        ...init,
        body: JSON.stringify(rest),
      });
      show({ type: `${kind}-reply` as VendorType, body: (await once.json()) as JsonObject });
    }
    return new Response(text, response);
  };

/** Pings are in no type; `[DONE]` is no JSON. */
const eventsIn = (text: string): readonly JsonObject[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)
    .filter(({ type }) => type !== "ping");
