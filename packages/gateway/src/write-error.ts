import type { ErrorCategory, JsonObject, MullError, WireId } from "mull";
import { mirrors, type ServeError } from "mull/wire";

import { jsonAnswer, type ClientAnswer } from "./client-exchange.ts";

/** An error as a client's wire writes it. */
export interface WrittenError {
  readonly error: ServeError;
  readonly headers: Readonly<Record<string, string>>;
}

/** Status and type of an error: Anthropic, OpenAI (both wires), Google. */
type ErrorRow = readonly [
  anthropic: readonly [number, string],
  openai: readonly [number, string],
  google: readonly [number, string],
];

const serverRow: ErrorRow = [
  [500, "api_error"],
  [500, "server_error"],
  [500, "INTERNAL"],
];
const unreachableRow: ErrorRow = [
  [502, "api_error"],
  [502, "server_error"],
  [502, "UNAVAILABLE"],
];

const rows: Readonly<Record<ErrorCategory, ErrorRow>> = {
  auth: [
    [401, "authentication_error"],
    [401, "invalid_request_error"],
    [401, "UNAUTHENTICATED"],
  ],
  permission: [
    [403, "permission_error"],
    [403, "invalid_request_error"],
    [403, "PERMISSION_DENIED"],
  ],
  rate_limit: [
    [429, "rate_limit_error"],
    [429, "rate_limit_error"],
    [429, "RESOURCE_EXHAUSTED"],
  ],
  quota: [
    [402, "billing_error"],
    [429, "insufficient_quota"],
    [429, "RESOURCE_EXHAUSTED"],
  ],
  invalid_argument: [
    [400, "invalid_request_error"],
    [400, "invalid_request_error"],
    [400, "INVALID_ARGUMENT"],
  ],
  not_found: [
    [404, "not_found_error"],
    [404, "invalid_request_error"],
    [404, "NOT_FOUND"],
  ],
  context_overflow: [
    [400, "invalid_request_error"],
    [400, "invalid_request_error"],
    [400, "INVALID_ARGUMENT"],
  ],
  content_filter: [
    [400, "invalid_request_error"],
    [400, "invalid_request_error"],
    [400, "INVALID_ARGUMENT"],
  ],
  overloaded: [
    [529, "overloaded_error"],
    [503, "server_error"],
    [503, "UNAVAILABLE"],
  ],
  server: serverRow,
  timeout: [
    [504, "timeout_error"],
    [504, "server_error"],
    [504, "DEADLINE_EXCEEDED"],
  ],
  network: unreachableRow,
  aborted: [
    [499, "api_error"],
    [499, "server_error"],
    [499, "CANCELLED"],
  ],
  protocol: unreachableRow,
  unknown: serverRow,
};

/** The gateway's own statuses, with the type each wire has for them. */
const ownStatuses: ReadonlyMap<number, ErrorRow> = new Map([
  [
    413,
    [
      [413, "request_too_large"],
      [413, "invalid_request_error"],
      [400, "INVALID_ARGUMENT"],
    ],
  ],
  [
    415,
    [
      [400, "invalid_request_error"],
      [415, "invalid_request_error"],
      [400, "INVALID_ARGUMENT"],
    ],
  ],
  [
    426,
    [
      [426, "invalid_request_error"],
      [426, "invalid_request_error"],
      [400, "INVALID_ARGUMENT"],
    ],
  ],
]);

const column: Readonly<Record<WireId, 0 | 1 | 2>> = {
  "anthropic-messages": 0,
  "openai-responses": 1,
  "openai-chat": 1,
  "google-generate": 2,
};

/** The codes that OpenAI's clients look for; codes of other services would mean nothing to them. */
const openaiCodes: Partial<Readonly<Record<ErrorCategory, string>>> = {
  auth: "invalid_api_key",
  context_overflow: "context_length_exceeded",
  not_found: "model_not_found",
  quota: "insufficient_quota",
  rate_limit: "rate_limit_exceeded",
};

/** Words that clients look for: Claude Code compacts at these, Codex at a code. */
function wordsOf(error: MullError, wire: WireId): Pick<ServeError, "message" | "code"> {
  const { message, category, provider } = error;
  const own = provider === undefined ? error.code : undefined;
  if (wire === "anthropic-messages") {
    const isTold = category !== "context_overflow" || /prompt is too long/i.test(message);
    return { message: isTold ? message : `prompt is too long: ${message}` };
  }
  if (wire === "google-generate") return { message };
  const code = own === "unknown_url" ? own : (openaiCodes[category] ?? own);
  return { message, ...(code !== undefined && { code }) };
}

/** An error in a client's words: status, type, request id and when to come back. */
export function writeError(
  error: MullError,
  wire: WireId,
  requestId: string,
  details?: JsonObject,
): WrittenError {
  const own = error.provider === undefined ? ownStatuses.get(error.status ?? 0) : undefined;
  const [status, type] = (own ?? rows[error.category])[column[wire]];
  const { retryAfterMs } = error;
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  // gemini-cli does not look at `retry-after`.
  const retryInfo: JsonObject | undefined =
    seconds === undefined || wire !== "google-generate"
      ? undefined
      : { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` };
  const more = details ?? (retryInfo && [retryInfo]);
  const fix = error.fix === undefined ? "" : ` (${error.fix})`;
  const words = wordsOf(error, wire);
  return {
    error: {
      status,
      type,
      ...words,
      message: words.message + fix,
      ...(error.field !== undefined && { param: error.field }),
      ...(more !== undefined && { details: more }),
      requestId,
    },
    headers: {
      [requestIdHeader(wire)]: requestId,
      ...(seconds !== undefined && { "retry-after": String(seconds) }),
      // A wrong key stays wrong. Without this, Claude Code asks for more than a minute.
      ...(status === 401 && { "x-should-retry": "false" }),
    },
  };
}

/** The header each service names a request in. */
export const requestIdHeader = (wire: WireId): string =>
  wire === "anthropic-messages" ? "request-id" : "x-request-id";

/** The whole answer for an error. */
export const errorAnswer = (
  { error, headers }: WrittenError,
  wire: WireId,
  more: Readonly<Record<string, string>> = {},
): ClientAnswer =>
  jsonAnswer(mirrors[wire].encodeError(error), { ...headers, ...more }, error.status);
