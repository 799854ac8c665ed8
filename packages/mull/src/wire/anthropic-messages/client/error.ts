import type { ErrorCategory, MullError, MullErrorFields } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import type { HttpFailure } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import { plainText, categoryOfStatus, serviceError } from "../../common/service-error.ts";
import { retryHeaderMs } from "../../common/retry-after.ts";
import { asText, tryParse } from "../../common/json-reading.ts";

const byType: ReadonlyMap<string, ErrorCategory> = new Map([
  ["invalid_request_error", "invalid_argument"],
  ["authentication_error", "auth"],
  ["billing_error", "quota"],
  ["permission_error", "permission"],
  ["not_found_error", "not_found"],
  ["conflict_error", "server"],
  ["request_too_large", "invalid_argument"],
  ["rate_limit_error", "rate_limit"],
  ["api_error", "server"],
  ["timeout_error", "timeout"],
  ["overloaded_error", "overloaded"],
]);

/** Refusals of their own kind that the service files under a general type. */
const byText: readonly (readonly [RegExp, ErrorCategory])[] = [
  [/spend_limit_reached|credit balance is too low|specified API usage limits/, "quota"],
  [/prompt is too long|exceeds? (?:the )?context (?:window|limit)/i, "context_overflow"],
  [/content filtering policy/, "content_filter"],
];

/**
 * Reads Anthropic's errors only. `readComplaint`, which reads those of all servers, would put the bundle of
 * one turn 128 bytes over its limit.
 */
export function decodeError(failure: HttpFailure, provider: string): MullError {
  const { status, headers, body } = failure;
  const parsed = objectIn(tryParse(body));
  const seen = {
    status,
    requestId: headers["request-id"] ?? headers["x-request-id"],
    retryAfterMs: retryHeaderMs(headers),
  };
  const text = plainText(body);
  return toError(parsed ?? {}, provider, seen, headers, text, parsed === undefined);
}

/** An error event in a stream, or an error object where a message was due. */
export const streamedError = (body: JsonObject, provider: string, partial?: Reply): MullError =>
  toError(body, provider, { partial });

function toError(
  body: JsonObject,
  provider: string,
  seen: Omit<MullErrorFields, "category">,
  headers: HttpFailure["headers"] = {},
  text = "",
  isPage = false,
): MullError {
  const error = objectIn(body["error"]) ?? body;
  const type = asText(error["type"]);
  const code = asText(objectIn(error["details"])?.["error_code"]) || type;
  const { status = 0 } = seen;
  const message = asText(error["message"]) || text || "the service gave no reason";
  const category =
    byText.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ??
    byType.get(type) ??
    (status === 413 ? "invalid_argument" : categoryOfStatus(status, isPage));
  const label = [status || "", type].filter(Boolean).join(" ");
  const fields = {
    ...seen,
    category,
    provider,
    code: code || undefined,
    requestId: (seen.requestId ?? asText(body["request_id"])) || undefined,
  };
  const words = `${provider}: ${message.slice(0, 2000)}${label && ` (${label})`}`;
  return serviceError(words, fields, headers);
}

function objectIn(value: unknown): JsonObject | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isJsonObject(first) ? first : undefined;
}
