import { MullError, type ErrorCategory } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import type { HttpFailure } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import { plainText } from "../../common/plain-text.ts";
import { retryHeaderMs } from "../../common/retry-header.ts";
import { asText } from "./parts.ts";

/** The service's statuses and types; either may come alone from whoever imitates it. */
const table: readonly (readonly [status: number, type: string, category: ErrorCategory])[] = [
  [400, "invalid_request_error", "invalid_argument"],
  [401, "authentication_error", "auth"],
  [402, "billing_error", "quota"],
  [403, "permission_error", "permission"],
  [404, "not_found_error", "not_found"],
  [408, "", "timeout"],
  [409, "conflict_error", "server"],
  [413, "request_too_large", "invalid_argument"],
  [422, "", "invalid_argument"],
  [429, "rate_limit_error", "rate_limit"],
  [500, "api_error", "server"],
  [503, "", "overloaded"],
  [504, "timeout_error", "timeout"],
  [529, "overloaded_error", "overloaded"],
];

/** Refusals of their own kind that the service files under a general type. */
const byText: readonly (readonly [RegExp, ErrorCategory])[] = [
  [/enforced_spend_limit_reached|credit balance is too low|specified API usage limits/, "quota"],
  [/prompt is too long|exceeds? (?:the )?context (?:window|limit)/i, "context_overflow"],
  [/content filtering policy/, "content_filter"],
];

const retryable: ReadonlySet<ErrorCategory> = new Set([
  "rate_limit",
  "overloaded",
  "server",
  "timeout",
]);

export function decodeError(failure: HttpFailure, provider: string): MullError {
  const { status, headers, body } = failure;
  const parsed = parseObject(body);
  const shouldRetry = headers["x-should-retry"];
  return toError(parsed ?? {}, provider, {
    status,
    text: plainText(body),
    isPage: parsed === undefined,
    requestId: headers["request-id"] ?? headers["x-request-id"],
    retryAfterMs: retryHeaderMs(headers),
    retryable:
      shouldRetry === "true" || shouldRetry === "false" ? shouldRetry === "true" : undefined,
  });
}

/** The error of an error event in a stream, or of an error object in place of a message. */
export const streamedError = (body: JsonObject, provider: string, partial?: Reply): MullError =>
  toError(body, provider, { text: "", partial });

interface Seen {
  readonly text: string;
  readonly status?: number;
  /** Not the service's own answer but a proxy's page. */
  readonly isPage?: boolean;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly partial?: Reply | undefined;
}

function toError(body: JsonObject, provider: string, seen: Seen): MullError {
  const error = isJsonObject(body["error"]) ? body["error"] : body;
  const type = asText(error["type"]);
  const details = isJsonObject(error["details"]) ? error["details"] : {};
  const code = asText(details["error_code"]) || type;
  const { status = 0, text, isPage } = seen;
  const message = asText(error["message"]) || text || "the service gave no reason";
  const row =
    table.find((known) => type !== "" && known[1] === type) ??
    table.find((known) => known[0] === status && !(isPage && status >= 500));
  const category =
    byText.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ??
    row?.[2] ??
    (status >= 500 ? "server" : "unknown");
  const label = [status || "", type].filter(Boolean).join(" ");
  return new MullError(`${provider}: ${message.slice(0, 2000)}${label && ` (${label})`}`, {
    ...seen,
    category,
    provider,
    retryable: seen.retryable ?? retryable.has(category),
    code: code || undefined,
    requestId: (seen.requestId ?? asText(body["request_id"])) || undefined,
  });
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(first) ? first : undefined;
  } catch {
    return undefined;
  }
}
