import type { Fetch, JsonObject } from "mull";

import { valuesOf } from "../witness.ts";
import type { Adapter } from "./scenario.ts";

/** Asks Google for its default framing, one JSON array, instead of SSE. */
export const withoutSse =
  (fetch: Fetch): Fetch =>
  (input, init) => {
    const url = new URL(input);
    url.searchParams.delete("alt");
    return fetch(url.href, init);
  };

const json = (response: Response, headers: Headers, body: BodyInit): Response => {
  headers.delete("content-length");
  return new Response(body, { status: response.status, headers });
};

/** One object a line, each line a delivery of its own: Google never offered it, proxies do. */
export const asNdjson: Adapter = {
  does: "the array of the emulator is re-framed as newline-delimited JSON",
  wrap: (fetch) => async (input, init) => {
    const response = await fetch(input, init);
    const lines = valuesOf(await response.text()).map((value) => `${JSON.stringify(value)}\n`);
    const headers = new Headers(response.headers);
    headers.set("content-type", "application/x-ndjson");
    const encoder = new TextEncoder();
    return json(
      response,
      headers,
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const line = lines.shift();
          if (line === undefined) controller.close();
          else controller.enqueue(encoder.encode(line));
        },
      }),
    );
  },
};

/** Puts into a whole answer what only the vendor's own tools make. */
export const adding = (does: string, change: (body: JsonObject) => JsonObject): Adapter => ({
  does,
  wrap: (fetch) => async (input, init) => {
    const response = await fetch(input, init);
    const body = change((await response.json()) as JsonObject);
    return json(response, new Headers(response.headers), JSON.stringify(body));
  },
});
