import type { ServeError } from "mull/wire";

import { simulatedHeader } from "./answer-headers.ts";
import type { FailingVendor } from "./failures.ts";

/** The site whose page sent the request. Programs send no such header. */
const originOf = (headers: Headers): string | undefined => headers.get("origin") ?? undefined;

/** The header that Anthropic wants from pages: everybody who opens a page can read the key in it. */
const consent = "anthropic-dangerous-direct-browser-access";

const namesIn = (headers: Headers, name: string): readonly string[] =>
  (headers.get(name) ?? "").split(",").map((item) => item.trim().toLowerCase());

/** Header names of a request, or of the request that a preflight asks about. */
export const headerNames = (headers: Headers): ReadonlySet<string> =>
  new Set([...headers.keys(), ...namesIn(headers, "access-control-request-headers")]);

/** Why a page is not answered. */
export const refuseOrigin = (vendor: FailingVendor, headers: Headers): ServeError | undefined =>
  vendor !== "anthropic" || originOf(headers) === undefined || headers.has(consent)
    ? undefined
    : {
        status: 401,
        type: "authentication_error",
        message: `CORS requests must set '${consent}' header`,
      };

/** The headers with which each vendor lets a page read the answer. */
export const crossOriginHeaders = (
  vendor: FailingVendor,
  headers: Headers,
): Readonly<Record<string, string>> => {
  const origin = originOf(headers);
  if (origin === undefined) return {};
  switch (vendor) {
    case "anthropic":
      return headerNames(headers).has(consent)
        ? { "access-control-allow-origin": "*", "access-control-expose-headers": "*" }
        : {};
    case "openai":
      return {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": `X-Request-ID, ${simulatedHeader}`,
      };
    case "google":
      return {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": simulatedHeader,
        vary: "Origin, X-Origin, Referer",
      };
    default:
      return vendor satisfies never;
  }
};

/** A browser's preflight, before the request itself. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === "OPTIONS" && headers.has("access-control-request-method");

/** SDKs send many headers of their own, so every header that is asked about is allowed. */
export const answerPreflight = (headers: Headers): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
      "access-control-allow-headers": headers.get("access-control-request-headers") ?? "*",
      "access-control-max-age": "600",
    },
  });
