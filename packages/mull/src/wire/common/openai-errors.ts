import type { ErrorCategory, MullError } from "../../types/error.ts";
import type { Reply } from "../../types/event.ts";
import type { HttpFailure } from "../../types/http.ts";
import type { JsonObject } from "../../types/json.ts";
import type { ServeError } from "../../types/wire.ts";
import { firstText, readComplaint, type Complaint } from "./complaint.ts";
import { tryParse } from "./json-reading.ts";
import { retryAfterMs } from "./retry-after.ts";
import { categoryOfStatus, reasonOf, serviceError } from "./service-error.ts";

type Words = readonly (readonly [pattern: RegExp, category: ErrorCategory])[];

/** First match wins. The words are searched in code, type and message together. */
const words: Words = [
  [
    /insufficient_quota|insufficient[ _]balance|billing|spend[_ ]limit|usage_limit|current quota|credits/i,
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
  [/invalid_api_key|authentication_error|(incorrect|invalid|missing) api key/i, "auth"],
  [/model_not_found/i, "not_found"],
  [/overloaded|at capacity|slow_down/i, "overloaded"],
];

/** For errors in a stream, if no status says it. */
const inBandTypes: Words = [
  [/rate_limit|too_many_requests/, "rate_limit"],
  [/permission/, "permission"],
  [/not_found/, "not_found"],
  [/timeout/, "timeout"],
  [/invalid|unsupported/, "invalid_argument"],
  [/server|internal|api_error/, "server"],
];

const requestIdHeaders = [
  "x-request-id",
  "apim-request-id",
  "mistral-correlation-id",
  "request-id",
  "cf-ray",
];

/** Decodes an answer with an error status, of OpenAI or of a server like it. */
export const decodeError = (failure: HttpFailure, provider: string): MullError =>
  toError(readComplaint(tryParse(failure.body)), failure, provider);

/** Decodes an error with status 200, in a body or in a stream. */
export function decodeInBandError(body: JsonObject, provider: string, partial?: Reply): MullError {
  const complaint = readComplaint(body);
  // The message alone: a body nested too deep cannot be written as JSON again.
  const text = complaint?.message ?? "";
  const failure = { status: complaint?.status ?? 200, headers: {}, body: text };
  return toError(complaint, failure, provider, partial);
}

function toError(
  complaint: Complaint | undefined,
  failure: HttpFailure,
  provider: string,
  partial?: Reply,
): MullError {
  const { status, headers } = failure;
  const message = reasonOf(complaint, failure, provider);
  const fields = {
    category: categorise(status, `${complaint?.code ?? ""} ${complaint?.type ?? ""}`, message),
    status,
    provider,
    code: complaint?.code ?? complaint?.type,
    requestId: firstText(...requestIdHeaders.map((name) => headers[name])),
    retryAfterMs: retryAfterMs(failure),
    partial,
  };
  return serviceError(message, fields, headers);
}

/** Writes an error as OpenAI does. */
export const encodeError = ({ message, type, param, code }: ServeError): JsonObject => ({
  error: { message, type, param: param ?? null, code: code ?? null },
});

const find = (list: Words, text: string): ErrorCategory | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1];

function categorise(status: number, type: string, message: string): ErrorCategory {
  const told = status === 401 || status === 403 ? undefined : find(words, `${type} ${message}`);
  if (told !== undefined) return told;
  return status >= 400 ? categoryOfStatus(status) : (find(inBandTypes, type) ?? "unknown");
}
