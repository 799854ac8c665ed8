import type { JsonObject, WireId } from "mull";
import type { ServeError } from "mull/wire";

import type { Failure } from "../world/draft.ts";

export type FailingVendor = "anthropic" | "openai" | "google";

export const vendorOf: Readonly<Record<WireId, FailingVendor>> = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai",
  "openai-chat": "openai",
  "google-generate": "google",
};

interface FailureWords {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
}

/** What each service answers with a status when nothing more specific is known. */
const words: Readonly<Record<FailingVendor, ReadonlyMap<number, FailureWords>>> = {
  anthropic: new Map([
    [400, { type: "invalid_request_error", message: "Invalid request." }],
    [401, { type: "authentication_error", message: "invalid x-api-key" }],
    [402, { type: "billing_error", message: "There is an issue with your billing or payment." }],
    [
      403,
      {
        type: "permission_error",
        message: "Your API key does not have permission to use the specified resource.",
      },
    ],
    [404, { type: "not_found_error", message: "Not found." }],
    [408, { type: "timeout_error", message: "Request timed out." }],
    [409, { type: "conflict_error", message: "The request conflicts with another one." }],
    [
      413,
      {
        type: "request_too_large",
        message: "Request exceeds the maximum allowed number of bytes.",
      },
    ],
    [
      429,
      {
        type: "rate_limit_error",
        message: "This request would exceed your account's rate limit. Please try again later.",
      },
    ],
    [500, { type: "api_error", message: "Internal server error" }],
    [503, { type: "api_error", message: "Service unavailable" }],
    [504, { type: "timeout_error", message: "Request timed out." }],
    [529, { type: "overloaded_error", message: "Overloaded" }],
  ]),
  openai: new Map([
    [400, { type: "invalid_request_error", message: "Invalid request." }],
    [
      401,
      {
        type: "invalid_request_error",
        message:
          "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.",
        code: "invalid_api_key",
      },
    ],
    [
      403,
      {
        type: "invalid_request_error",
        message: "You are not allowed to use this resource.",
        code: "permission_denied",
      },
    ],
    [404, { type: "invalid_request_error", message: "Not found.", code: "not_found" }],
    [408, { type: "server_error", message: "Request timed out." }],
    [409, { type: "invalid_request_error", message: "The resource is locked.", code: "conflict" }],
    [413, { type: "invalid_request_error", message: "Request body is too large." }],
    [
      429,
      {
        type: "requests",
        message: "Rate limit reached for requests.",
        code: "rate_limit_exceeded",
      },
    ],
    [
      500,
      {
        type: "server_error",
        message: "The server had an error while processing your request. Sorry about that!",
      },
    ],
    [
      503,
      {
        type: "server_error",
        message: "The server is currently overloaded with other requests. Sorry about that!",
        code: "overloaded",
      },
    ],
    [
      529,
      {
        type: "server_error",
        message: "The server is currently overloaded with other requests. Sorry about that!",
        code: "overloaded",
      },
    ],
  ]),
  google: new Map([
    [400, { type: "INVALID_ARGUMENT", message: "Request contains an invalid argument." }],
    [
      401,
      {
        type: "UNAUTHENTICATED",
        message:
          "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
      },
    ],
    [403, { type: "PERMISSION_DENIED", message: "The caller does not have permission" }],
    [404, { type: "NOT_FOUND", message: "Requested entity was not found." }],
    [
      408,
      { type: "DEADLINE_EXCEEDED", message: "Deadline expired before operation could complete." },
    ],
    [409, { type: "ABORTED", message: "The operation was aborted." }],
    [413, { type: "INVALID_ARGUMENT", message: "Request payload size exceeds the limit." }],
    [429, { type: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota." }],
    [499, { type: "CANCELLED", message: "The operation was cancelled." }],
    [500, { type: "INTERNAL", message: "Internal error encountered." }],
    [503, { type: "UNAVAILABLE", message: "The model is overloaded. Please try again later." }],
    [
      504,
      { type: "DEADLINE_EXCEEDED", message: "Deadline expired before operation could complete." },
    ],
    [529, { type: "UNAVAILABLE", message: "The model is overloaded. Please try again later." }],
  ]),
};

/** Seconds as `1.5s`, or milliseconds below one, as both vendors write them. */
const shortTime = (ms: number): string => (ms < 1000 ? `${ms}ms` : `${ms / 1000}s`);

const goTime = (ms: number): string => {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
};

interface Wait {
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly details?: readonly JsonObject[];
}

/** Every way a service says how long to wait. */
const waitOf = (failure: Failure, vendor: FailingVendor, now: number): Wait => {
  if (failure.retry === undefined) return {};
  const { form, ms } = failure.retry;
  switch (form) {
    case "seconds":
      return { headers: { "retry-after": String(Math.ceil(ms / 1000)) } };
    case "decimal":
      return { headers: { "retry-after": (ms / 1000).toFixed(3) } };
    case "ms":
      return { headers: { "retry-after-ms": String(ms) } };
    case "date":
      return { headers: { "retry-after": new Date(now + ms).toUTCString() } };
    case "text":
      return {
        text: ` Please ${vendor === "google" ? "retry" : "try again"} in ${shortTime(ms)}.`,
      };
    case "info":
      return {
        text: ` Please retry in ${shortTime(ms)}.`,
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            violations: [
              {
                quotaMetric: "generativelanguage.googleapis.com/generate_requests",
                quotaId: "GenerateRequestsPerMinutePerProjectPerModel",
              },
            ],
          },
          { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: shortTime(ms) },
        ],
      };
    case "reset":
      return {
        headers:
          vendor === "anthropic"
            ? { "anthropic-ratelimit-requests-reset": new Date(now + ms).toISOString() }
            : { "x-ratelimit-reset-requests": goTime(ms) },
      };
    default:
      return form satisfies never;
  }
};

export interface SpokenFailure {
  readonly error: ServeError;
  readonly headers: Readonly<Record<string, string>>;
}

/** A failure in the words of the service. */
export const speakFailure = (failure: Failure, wire: WireId, now: number): SpokenFailure => {
  const vendor = vendorOf[wire];
  const said = words[vendor].get(failure.status) ??
    words[vendor].get(failure.status >= 500 ? 500 : 400) ?? { type: "api_error", message: "Error" };
  const wait = waitOf(failure, vendor, now);
  const code = failure.code ?? (failure.type === undefined ? said.code : undefined);
  return {
    error: {
      status: failure.status,
      type: failure.type ?? said.type,
      message: (failure.message ?? said.message) + (wait.text ?? ""),
      ...(code !== undefined && { code }),
      ...(wait.details !== undefined && { details: wait.details }),
    },
    headers: { ...wait.headers, ...failure.headers },
  };
};
