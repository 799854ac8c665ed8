import type { ErrorCategory, MullError, MullErrorFields } from "../../../types/error.ts";
import type { HttpFailure } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import { plainText } from "../../common/plain-text.ts";
import { retryAfterMs } from "../../common/retry-after.ts";
import { categoryOfStatus, serviceError, tryParse } from "../../common/service-error.ts";
import { someText } from "./parts.ts";

/** The service's codes and types that say more than the status does. */
const codes = new Map<string, ErrorCategory>([
  ["context_length_exceeded", "context_overflow"],
  ["insufficient_quota", "quota"],
  ["billing_hard_limit_reached", "quota"],
  ["usage_limit_reached", "quota"],
  ["invalid_prompt", "content_filter"],
  ["bio_policy", "content_filter"],
  ["misalignment_policy_violation", "content_filter"],
  ["content_filter", "content_filter"],
  ["content_policy_violation", "content_filter"],
  ["invalid_api_key", "auth"],
  ["model_not_found", "not_found"],
  ["rate_limit_exceeded", "rate_limit"],
  ["server_error", "server"],
  ["vector_store_timeout", "server"],
  ["server_is_overloaded", "overloaded"],
  ["overloaded_error", "overloaded"],
  ["slow_down", "overloaded"],
]);

const texts: readonly (readonly [RegExp, ErrorCategory])[] = [
  [/\brequest too large\b/i, "invalid_argument"],
  [/exceeded your current quota|spend limit/i, "quota"],
  [/context window|maximum context length/i, "context_overflow"],
  [/\b(?:incorrect|invalid|missing) api key\b/i, "auth"],
];

interface SaidInItem {
  readonly message: string | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
}

/** Every spelling of a refusal: OpenAI's object, xAI's flat pair, `detail`, a bare message. */
function readError(body: unknown): SaidInItem {
  const outer: JsonObject = isJsonObject(body) ? body : {};
  const inner: JsonObject = isJsonObject(outer["error"]) ? outer["error"] : outer;
  const code = inner["code"] ?? outer["code"];
  return {
    message: someText(inner["message"]) ?? someText(outer["error"]) ?? someText(outer["detail"]),
    type: inner === outer ? undefined : someText(inner["type"]),
    code: typeof code === "number" ? String(code) : someText(code),
  };
}

function categoryOf(said: SaidInItem, status: number | undefined): ErrorCategory {
  const { message = "", code = "", type = "" } = said;
  return (
    texts.find(([pattern]) => pattern.test(message))?.[1] ??
    codes.get(code) ??
    codes.get(type) ??
    categoryOfStatus(status ?? 0)
  );
}

/** The error inside an answer with status 200, whole or streamed. */
export function errorInAnswer(body: unknown, fields: Omit<MullErrorFields, "category">): MullError {
  const said = readError(body);
  return serviceError(said.message ?? "the service failed without saying why", {
    category: categoryOf(said, undefined),
    code: said.code ?? said.type,
    ...fields,
  });
}

export function decodeError(failure: HttpFailure, provider: string): MullError {
  const { status, headers } = failure;
  const said = readError(tryParse(failure.body));
  const message = said.message ?? (plainText(failure.body) || `HTTP ${status} without a message`);
  const fields = {
    category: categoryOf(said, status),
    status,
    provider,
    code: said.code ?? said.type,
    requestId: headers["x-request-id"] ?? headers["request-id"] ?? headers["apim-request-id"],
    retryAfterMs: retryAfterMs(failure),
  };
  return serviceError(message, fields, headers);
}
