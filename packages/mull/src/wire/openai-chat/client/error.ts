import type { ErrorCategory, MullError } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import type { HttpFailure } from "../../../types/http.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { plainText } from "../../common/plain-text.ts";
import { retryAfterMs } from "../../common/retry-after.ts";
import { categoryOfStatus, serviceError, tryParse } from "../../common/service-error.ts";

/** What a server says about a failure, whatever shape it says it in. */
interface Complaint {
  readonly message: string;
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The status inside the body, which a 200 or a gateway hides. */
  readonly status: number | undefined;
}

export const decodeError = (failure: HttpFailure, provider: string): MullError => {
  return toError(readComplaint(tryParse(failure.body)), failure, provider);
};

/** Decodes an error with status 200, in a body or in a stream. */
export function decodeInBandError(body: JsonObject, provider: string, partial?: Reply): MullError {
  const complaint = readComplaint(body);
  // The message alone: a body nested too deep cannot be written as JSON again.
  const text = complaint?.message ?? "";
  const failure = { status: complaint?.status ?? 200, headers: {}, body: text };
  return toError(complaint, failure, provider, partial);
}

/** Whether a body is an error in place of an answer. */
export const isComplaint = (body: JsonObject): boolean =>
  isSomething(body["error"]) ||
  body["object"] === "error" ||
  (isJsonObject(body["base_resp"]) && (asNumber(body["base_resp"]["status_code"]) ?? 0) !== 0);

function toError(
  complaint: Complaint | undefined,
  failure: HttpFailure,
  provider: string,
  partial?: Reply,
): MullError {
  const { status, headers } = failure;
  const message = complaint?.message ?? plainText(failure.body);
  const fields = {
    category: categorise(status, complaint, message),
    status,
    provider,
    code: complaint?.code ?? complaint?.type,
    requestId: requestIdHeaders.map((name) => headers[name]).find(isSomething),
    retryAfterMs: retryAfterMs(failure),
    partial,
  };
  return serviceError(message || `${provider} answered with status ${status}`, fields, headers);
}

const requestIdHeaders = [
  "x-request-id",
  "apim-request-id",
  "mistral-correlation-id",
  "request-id",
  "cf-ray",
];

/** First match wins. The words are searched in code, type and message together. */
const words: readonly (readonly [pattern: RegExp, category: ErrorCategory])[] = [
  [
    /insufficient_quota|insufficient[ _]balance|billing|spend_limit|current quota|credits/i,
    "quota",
  ],
  [/request too large/i, "invalid_argument"],
  [
    /context_length_exceeded|context (length|window|size)|prompt is too long|input is too long|too many (input )?tokens/i,
    "context_overflow",
  ],
  [
    /content_filter|content_policy|invalid_prompt|bio_policy|misalignment_policy|ResponsibleAI/i,
    "content_filter",
  ],
  [/invalid_api_key|authentication_error|(incorrect|invalid) api key/i, "auth"],
  [/model_not_found/i, "not_found"],
  [/overloaded|at capacity|engine_overloaded/i, "overloaded"],
];

/** For errors in a stream, where no status says it. */
const inBandTypes: readonly (readonly [pattern: RegExp, category: ErrorCategory])[] = [
  [/rate_limit|too_many_requests/, "rate_limit"],
  [/permission/, "permission"],
  [/not_found/, "not_found"],
  [/timeout/, "timeout"],
  [/invalid|unsupported/, "invalid_argument"],
  [/server|internal|api_error/, "server"],
];

function categorise(
  status: number,
  complaint: Complaint | undefined,
  message: string,
): ErrorCategory {
  if (status !== 401 && status !== 403) {
    const text = `${complaint?.code ?? ""} ${complaint?.type ?? ""} ${message}`;
    for (const [pattern, category] of words) if (pattern.test(text)) return category;
  }
  if (status >= 400) return categoryOfStatus(status);
  const type = `${complaint?.code ?? ""} ${complaint?.type ?? ""}`;
  return inBandTypes.find(([pattern]) => pattern.test(type))?.[1] ?? "unknown";
}

function readComplaint(body: unknown): Complaint | undefined {
  const object: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(object)) return undefined;
  const error = object["error"];
  const flat = isJsonObject(error) ? error : object;
  const message =
    upstreamMessage(flat) ??
    firstText(flat["message"], error, flat["detail"], detailMessages(flat["detail"])) ??
    firstText(isJsonObject(flat["base_resp"]) ? flat["base_resp"]["status_msg"] : undefined) ??
    wrappedMessage(object);
  if (message === undefined) return undefined;
  const code = flat["code"] ?? flat["error_code"];
  return {
    message,
    code: typeof code === "number" ? `${code}` : firstText(code),
    type: firstText(flat["type"]),
    status: [flat["status_code"], flat["raw_status_code"], flat["status"], code]
      .map(asNumber)
      .find((status) => status !== undefined && status >= 400 && status < 600),
  };
}

/** OpenRouter says "Provider returned error" and keeps the provider's words in `metadata.raw`. */
function upstreamMessage(error: JsonObject): string | undefined {
  const metadata = error["metadata"];
  const raw = isJsonObject(metadata) ? firstText(metadata["raw"]) : undefined;
  if (raw === undefined) return undefined;
  const own = firstText(error["message"]);
  const inner = readComplaint(tryParse(raw))?.message ?? plainText(raw);
  return own === undefined ? inner : `${own}: ${inner}`;
}

/** Gateways wrap the answer of the service as a string under a key of their own. */
function wrappedMessage(object: JsonObject): string | undefined {
  const text = firstText(object["html-message"]);
  return text === undefined
    ? undefined
    : (readComplaint(tryParse(text))?.message ?? plainText(text));
}

const detailMessages = (detail: JsonValue | undefined): string | undefined =>
  Array.isArray(detail)
    ? detail
        .filter(isJsonObject)
        .map((entry) =>
          [Array.isArray(entry["loc"]) ? entry["loc"].join(".") : "", firstText(entry["msg"]) ?? ""]
            .filter((text) => text !== "")
            .join(": "),
        )
        .join("; ")
    : undefined;

const isSomething = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== "";

const firstText = (...values: readonly (JsonValue | undefined)[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value !== "");

const asNumber = (value: JsonValue | undefined): number | undefined =>
  typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value))
    ? Number(value)
    : undefined;
