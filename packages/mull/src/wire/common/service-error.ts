import { MullError, type ErrorCategory, type MullErrorFields } from "../../types/error.ts";
import type { HttpFailure } from "../../types/http.ts";

const retried: ReadonlySet<ErrorCategory> = new Set([
  "rate_limit",
  "overloaded",
  "server",
  "timeout",
]);

/** The error a service's refusal stands for. Its own word on whether to try again wins. */
export function serviceError(
  message: string,
  fields: MullErrorFields,
  headers: HttpFailure["headers"] = {},
): MullError {
  const wish = headers["x-should-retry"];
  const retryable = wish === "true" || (wish !== "false" && retried.has(fields.category));
  return new MullError(message, { retryable, ...fields });
}

const byStatus: ReadonlyMap<number, ErrorCategory> = new Map([
  [401, "auth"],
  [402, "quota"],
  [403, "permission"],
  [404, "not_found"],
  [408, "timeout"],
  [409, "server"],
  [413, "context_overflow"],
  [429, "rate_limit"],
  [503, "overloaded"],
  [504, "timeout"],
  [529, "overloaded"],
]);

/** The category of a status. `isPage`: a proxy answered with an HTML page, whose 503 does not mean that the model is overloaded. */
export function categoryOfStatus(status: number, isPage = false): ErrorCategory {
  const known = isPage && status >= 500 ? undefined : byStatus.get(status);
  return known ?? (status >= 500 ? "server" : status >= 400 ? "invalid_argument" : "unknown");
}

/** The words of an error: the service's own, else what a person can read of the body. */
export const reasonOf = (
  said: { readonly message: string } | undefined,
  { status, body }: Pick<HttpFailure, "status" | "body">,
  provider: string,
): string =>
  (said?.message ?? plainText(body)) ||
  (status >= 400
    ? `${provider} answered with status ${status}`
    : `${provider} failed without saying why`);

/** The beginning of the readable text of an HTML page, as proxies send for errors. */
export function plainText(body: string): string {
  const text = body
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)|<[^>]*>?/gi, " ")
    // Control characters too: a terminal must not see them.
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
