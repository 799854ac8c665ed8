import type { ErrorCategory, MullError } from "../../../types/error.ts";
import type { Reply } from "../../../types/event.ts";
import type { HttpFailure } from "../../../types/http.ts";
import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import { isTooDeep, objectsOf } from "./json-reading.ts";
import { plainText } from "../../common/plain-text.ts";
import { retryAfterMs } from "../../common/retry-after.ts";
import { categoryOfStatus, serviceError, tryParse } from "../../common/service-error.ts";

/** Status words of Google's error model. */
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

/** What the text or the details say against the status word; the first match decides. */
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

interface ServiceError {
  readonly message: string;
  readonly word: string | undefined;
  readonly status: number | undefined;
  readonly details: string;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
}

/** Decodes an answer with an error status. */
export function decodeError(failure: HttpFailure, provider: string): MullError {
  const body = tryParse(failure.body);
  const said = body === undefined ? undefined : readError(body);
  return toError(said ?? plainError(failure), failure, said !== undefined, provider);
}

/** Decodes an error in a body or stream with status 200. */
export function errorInBody(chunk: JsonObject, provider: string, partial?: Reply): MullError {
  const said = readError(chunk) ?? { ...noError, message: "The service sent an unreadable error." };
  const failure = { status: said.status ?? 0, headers: {}, body: JSON.stringify(said.details) };
  return toError(said, failure, true, provider, partial);
}

const noError: ServiceError = {
  message: "",
  word: undefined,
  status: undefined,
  details: "",
  reason: undefined,
  requestId: undefined,
};

/** `{error}`, `[{error}]`, or either as a string inside `message`, as proxies wrap it. */
function readError(body: unknown, depth = 0): ServiceError | undefined {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  const error = isJsonObject(outer) ? outer["error"] : undefined;
  if (typeof error === "string") return { ...noError, message: error };
  if (!isJsonObject(error)) return undefined;
  const { message, status, code, details } = error;
  const text = typeof message === "string" ? message : "";
  const inner = depth < 3 && text.trimStart().startsWith("{") ? tryParse(text) : undefined;
  const wrapped = inner === undefined ? undefined : readError(inner, depth + 1);
  if (wrapped !== undefined) return wrapped;
  const list = objectsOf(details).filter((detail) => !isTooDeep(detail));
  return {
    message: text,
    word: typeof status === "string" ? status : undefined,
    status: typeof code === "number" ? code : undefined,
    details: JSON.stringify(list),
    reason: field(list, "reason"),
    requestId: field(list, "requestId"),
  };
}

const field = (details: readonly JsonObject[], name: string): string | undefined =>
  details.map((detail) => detail[name]).find((value) => typeof value === "string");

/** HTML and plain text: what a person can read of it. */
const plainError = ({ body, status }: HttpFailure): ServiceError => ({
  ...noError,
  message: plainText(body) || `HTTP ${status}`,
});

function toError(
  said: ServiceError,
  failure: HttpFailure,
  isService: boolean,
  provider: string,
  partial?: Reply,
): MullError {
  const category = categoryOf(said, failure.status, isService);
  const fields = {
    category,
    provider,
    status: (failure.status || said.status) ?? undefined,
    code: category === "auth" ? (said.reason ?? said.word) : said.word,
    requestId: said.requestId ?? failure.headers["x-request-id"],
    retryAfterMs: retryAfterMs({ ...failure, body: `${failure.body} ${said.message}` }),
    partial,
  };
  return serviceError(said.message || `HTTP ${failure.status}`, fields, failure.headers);
}

function categoryOf(said: ServiceError, status: number, isService: boolean): ErrorCategory {
  const plain = byWord.get(said.word ?? "") ?? statusCategory(said.status ?? status, isService);
  const text = `${said.message} ${said.details}`;
  return byText.find(({ from, pattern }) => from === plain && pattern.test(text))?.to ?? plain;
}

/** Google tells no wrong key from a missing right, and refuses by size what is no matter of tokens. */
const ownStatuses: ReadonlyMap<number, ErrorCategory> = new Map([
  [403, "auth"],
  [413, "invalid_argument"],
  [499, "aborted"],
]);

const statusCategory = (status: number, isService: boolean): ErrorCategory =>
  ownStatuses.get(status) ?? categoryOfStatus(status, !isService);
