import { isMullError, type ErrorCategory, type JsonObject, type MullError } from "mull";

/**
 * Sent with every answer. The image rule also keeps a page from smuggling text out in an address.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Only behind TLS: a browser that has seen it never connects without TLS again. */
export const secureHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  "strict-transport-security": "max-age=63072000",
};

const statusOf: Readonly<Record<ErrorCategory, number>> = {
  auth: 502,
  permission: 403,
  rate_limit: 429,
  quota: 429,
  invalid_argument: 400,
  not_found: 404,
  context_overflow: 400,
  content_filter: 422,
  overloaded: 503,
  server: 500,
  timeout: 504,
  network: 502,
  aborted: 409,
  protocol: 502,
  unknown: 500,
};

export const jsonHead: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "cache-control": "no-store",
};

export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    // Missing now, but worth another try later.
    headers: { ...jsonHead, ...(status === 503 && { "retry-after": "1" }), ...headers },
  });

export const empty = (status = 204, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { "cache-control": "no-store", ...headers } });

/**
 * What a client sees of an error: our own words and the allowed fields, never a cause or a stack.
 */
const describeError = (error: MullError, scrub: (text: string) => string): JsonObject => ({
  code: error.code ?? error.category,
  category: error.category,
  message: scrub(error.message),
  ...(error.field !== undefined && { field: error.field }),
  ...(error.allowed !== undefined && { allowed: error.allowed }),
  ...(error.rule !== undefined && { rule: error.rule }),
  ...(error.fix !== undefined && { fix: scrub(error.fix) }),
  ...(error.provider !== undefined && { provider: error.provider }),
  ...(error.retryable && { retryable: true }),
  ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
});

export function failure(error: unknown, scrub: (text: string) => string): Response {
  if (!isMullError(error)) {
    return json({ error: { code: "internal", message: "Something went wrong here." } }, 500);
  }
  const status = error.status ?? statusOf[error.category];
  const wait =
    error.retryAfterMs === undefined && status !== 503 && status !== 507
      ? {}
      : { "retry-after": String(Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000))) };
  const allow = status === 405 ? { allow: methodsOf(error).join(", ") } : {};
  return json({ error: describeError(error, scrub) }, status, { ...wait, ...allow });
}

/** Every GET route also answers HEAD. */
const methodsOf = ({ allowed = [] }: MullError): readonly string[] =>
  allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
