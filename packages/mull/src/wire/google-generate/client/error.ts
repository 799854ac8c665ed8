import type { ErrorCategory, MullError } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import type { HttpFailure } from "../../../types/http.ts";
import type { JsonObject } from "../../../types/json.ts";
import { firstText, readComplaint, type Complaint } from "../../common/complaint.ts";
import { tryParse } from "../../common/json-reading.ts";
import { retryAfterMs } from "../../common/retry-after.ts";
import { categoryOfStatus, reasonOf, serviceError } from "../../common/service-error.ts";

const byWord: ReadonlyMap<string, ErrorCategory> = new Map<string, ErrorCategory>([
  ["INVALID_ARGUMENT", "invalid_argument"],
  ["OUT_OF_RANGE", "invalid_argument"],
  ["UNIMPLEMENTED", "invalid_argument"],
  ["FAILED_PRECONDITION", "permission"],
  ["UNAUTHENTICATED", "auth"],
  ["PERMISSION_DENIED", "auth"],
  ["NOT_FOUND", "not_found"],
  ["RESOURCE_EXHAUSTED", "rate_limit"],
  ["CANCELLED", "aborted"],
  ["INTERNAL", "server"],
  ["UNKNOWN", "server"],
  ["DATA_LOSS", "server"],
  ["ABORTED", "server"],
  ["UNAVAILABLE", "overloaded"],
  ["DEADLINE_EXCEEDED", "timeout"],
]);

interface TextRule {
  readonly from: ErrorCategory;
  readonly pattern: RegExp;
  readonly to: ErrorCategory;
}

/** Corrections of the status word by text or details. The first match decides. */
const byText: readonly TextRule[] = [
  {
    from: "invalid_argument",
    pattern: /API_KEY_|api key (?:not valid|expired|not found)|multiple authentication/i,
    to: "auth",
  },
  {
    from: "invalid_argument",
    pattern: /token count .*exceeds the maximum number of tokens/i,
    to: "context_overflow",
  },
  {
    from: "rate_limit",
    pattern: /"quotaId":"[^"]*(?:PerDay|Daily)|\blimit: 0\b|spend(?:ing)? (?:limit|cap)/i,
    to: "quota",
  },
];

/** Decodes an answer with an error status. */
export const decodeError = (failure: HttpFailure, provider: string): MullError =>
  toError(readComplaint(tryParse(failure.body)), failure, provider);

/** Decodes an error in a body or stream with status 200. */
export function errorInBody(chunk: JsonObject, provider: string, partial?: Reply): MullError {
  const said = readComplaint(chunk);
  const body = said === undefined ? "" : JSON.stringify(said.details);
  return toError(said, { status: said?.status ?? 0, headers: {}, body }, provider, partial);
}

function toError(
  said: Complaint | undefined,
  failure: HttpFailure,
  provider: string,
  partial?: Reply,
): MullError {
  const { details = [], word } = said ?? {};
  const message = reasonOf(said, failure, provider);
  const category = categoryOf(said, failure.status, `${message} ${JSON.stringify(details)}`);
  const detail = (name: string): string | undefined =>
    firstText(...details.map((each) => each[name]));
  const fields = {
    category,
    provider,
    status: (failure.status || said?.status) ?? undefined,
    code: category === "auth" ? (detail("reason") ?? word) : word,
    requestId: detail("requestId") ?? failure.headers["x-request-id"],
    retryAfterMs: retryAfterMs({ ...failure, body: `${failure.body} ${message}` }),
    partial,
  };
  return serviceError(message, fields, failure.headers);
}

function categoryOf(said: Complaint | undefined, sent: number, text: string): ErrorCategory {
  const status = said?.status ?? sent;
  const plain =
    byWord.get(said?.word ?? "") ??
    ownStatuses.get(status) ??
    categoryOfStatus(status, said === undefined);
  return byText.find(({ from, pattern }) => from === plain && pattern.test(text))?.to ?? plain;
}

/** Statuses that mean something else at Google: 403 may be a wrong key, and 413 is about bytes, not tokens. */
const ownStatuses: ReadonlyMap<number, ErrorCategory> = new Map([
  [403, "auth"],
  [413, "invalid_argument"],
  [499, "aborted"],
]);
