import type { WireId } from "mull";
import type { ServeError } from "mull/wire";

import { shortHash } from "../seal/sha256.ts";
import { vendorOf } from "./failures.ts";
import { localServerOf } from "./host.ts";

/** Who asks: a fingerprint of the key, or why the key is refused. */
export type Caller = { readonly account: string } | { readonly refusal: ServeError };

/** Keys made to fail: any key with one of these words in it. */
const failing = { invalid: "invalid", forbidden: "forbidden" } as const;

const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer\s+(.*)$/i.exec(headers.get("authorization") ?? "")?.[1]?.trim();

const refuse = (
  status: number,
  type: string,
  message: string,
  more: Partial<ServeError> = {},
): Caller => ({
  refusal: { status, type, message, ...more },
});

const anthropic = (headers: Headers): Caller => {
  const key = headers.get("x-api-key") ?? bearerOf(headers) ?? "";
  if (key === "") return refuse(401, "authentication_error", "x-api-key header is required");
  if (key.includes(failing.invalid))
    return refuse(401, "authentication_error", "invalid x-api-key");
  if (key.includes(failing.forbidden)) {
    return refuse(
      403,
      "permission_error",
      "Your API key does not have permission to use the specified resource.",
    );
  }
  return { account: shortHash(key) };
};

const openai = (headers: Headers, url: URL): Caller => {
  if (localServerOf(url) !== undefined) return { account: "local" };
  const key = bearerOf(headers) ?? headers.get("api-key") ?? "";
  if (key === "") {
    return refuse(
      401,
      "invalid_request_error",
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    );
  }
  if (key.includes(failing.invalid)) {
    const shown = key.length > 8 ? `${key.slice(0, 4)}****${key.slice(-4)}` : "****";
    return refuse(
      401,
      "invalid_request_error",
      `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: "invalid_api_key" },
    );
  }
  if (key.includes(failing.forbidden)) {
    return refuse(
      403,
      "invalid_request_error",
      "You have insufficient permissions for this operation.",
    );
  }
  return { account: shortHash(key) };
};

const googleKeyInvalid = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "API_KEY_INVALID",
  domain: "googleapis.com",
  metadata: { service: "generativelanguage.googleapis.com" },
};

const google = (headers: Headers, url: URL): Caller => {
  const bearer = bearerOf(headers);
  // Vertex signs in with OAuth, the Gemini API with a key.
  const isVertex = url.pathname.includes("/projects/");
  if (isVertex && bearer !== undefined && bearer !== "") return { account: shortHash(bearer) };
  const key = headers.get("x-goog-api-key") ?? url.searchParams.get("key") ?? "";
  if (bearer !== undefined && key !== "") {
    return refuse(
      400,
      "INVALID_ARGUMENT",
      "Multiple authentication credentials received. Please pass only one.",
    );
  }
  if (bearer !== undefined) {
    return refuse(
      401,
      "UNAUTHENTICATED",
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
      {
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED",
            domain: "googleapis.com",
          },
        ],
      },
    );
  }
  if (key === "") {
    return refuse(
      403,
      "PERMISSION_DENIED",
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (key.includes(failing.invalid)) {
    return refuse(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", {
      details: [googleKeyInvalid],
    });
  }
  if (key.includes(failing.forbidden)) {
    return refuse(403, "PERMISSION_DENIED", "The caller does not have permission");
  }
  return { account: shortHash(key) };
};

/**
 * Any key works that is not empty and does not contain `invalid` or `forbidden`. Local servers need
 * none.
 */
export const authenticate = (wire: WireId, headers: Headers, url: URL): Caller => {
  switch (vendorOf[wire]) {
    case "anthropic":
      return anthropic(headers);
    case "openai":
      return openai(headers, url);
    case "google":
      return google(headers, url);
    default:
      return vendorOf[wire] satisfies never;
  }
};
