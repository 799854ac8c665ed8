import { describe, expect, test } from "vitest";
import type { ErrorCategory, MullError } from "../../../types/error.ts";
import { decodeError } from "./error.ts";

const failed = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): MullError =>
  decodeError(
    { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) },
    "google",
  );

const error = (code: number, status: string, message: string, details?: unknown): unknown => ({
  error: { code, message, status, ...(details !== undefined && { details }) },
});

const quota = (quotaId: string): unknown => [
  { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] },
  { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" },
];

describe("refusals", () => {
  test.each<[string, number, unknown, ErrorCategory, boolean]>([
    ["R166", 400, error(400, "INVALID_ARGUMENT", "bad"), "invalid_argument", false],
    [
      "D12",
      400,
      error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
      "auth",
      false,
    ],
    [
      "D12",
      400,
      error(400, "INVALID_ARGUMENT", "x", [{ reason: "API_KEY_INVALID" }]),
      "auth",
      false,
    ],
    [
      "D12",
      400,
      error(400, "INVALID_ARGUMENT", "Multiple authentication credentials received."),
      "auth",
      false,
    ],
    [
      "I",
      400,
      error(
        400,
        "INVALID_ARGUMENT",
        "The input token count (2) exceeds the maximum number of tokens allowed (1).",
      ),
      "context_overflow",
      false,
    ],
    [
      "I",
      400,
      error(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
      "permission",
      false,
    ],
    ["R164", 401, error(401, "UNAUTHENTICATED", "no"), "auth", false],
    ["R164", 403, error(403, "PERMISSION_DENIED", "no"), "auth", false],
    ["R177", 404, error(404, "NOT_FOUND", "models/x is not found"), "not_found", false],
    [
      "R165",
      429,
      error(429, "RESOURCE_EXHAUSTED", "slow", quota("GenerateRequestsPerMinutePerProject")),
      "rate_limit",
      true,
    ],
    [
      "F-R5",
      429,
      error(429, "RESOURCE_EXHAUSTED", "slow", quota("GenerateRequestsPerDayPerProject")),
      "quota",
      false,
    ],
    [
      "F-R5",
      429,
      error(429, "RESOURCE_EXHAUSTED", "Quota exceeded, limit: 0, model: x"),
      "quota",
      false,
    ],
    ["I", 499, error(499, "CANCELLED", "gone"), "aborted", false],
    ["R167", 500, error(500, "INTERNAL", "Internal error encountered."), "server", true],
    ["F-R7", 503, error(503, "UNAVAILABLE", "The model is overloaded."), "overloaded", true],
    ["I", 504, error(504, "DEADLINE_EXCEEDED", "late"), "timeout", true],
    ["I", 503, { error: { message: "no word" } }, "overloaded", true],
    ["I", 504, { error: { message: "no word" } }, "timeout", true],
    ["I", 413, { error: { message: "Request too large" } }, "invalid_argument", false],
    ["I", 402, { error: "pay" }, "quota", false],
    ["F-N6", 503, "<html><style>x{}</style><h1>Bad&nbsp;gateway</h1></html>", "server", true],
    ["F-N6", 408, "", "timeout", true],
    ["I", 302, "moved", "unknown", false],
  ])("%s: %i %j is %s", (_, status, body, category, retryable) => {
    expect(failed(status, body)).toMatchObject({ category, retryable, status, provider: "google" });
  });

  test("R165: the wait is read from the details, then from the text", () => {
    const detailed = error(429, "RESOURCE_EXHAUSTED", "slow", quota("PerMinute"));
    expect(failed(429, detailed).retryAfterMs).toBe(34_400);
    const told = error(429, "RESOURCE_EXHAUSTED", "Please retry in 900ms.");
    expect(failed(429, told).retryAfterMs).toBe(900);
  });

  test("R168: code, message and request id survive; the reason names a bad key", () => {
    const details = [{ reason: "API_KEY_INVALID" }, { requestId: "q1" }];
    expect(
      failed(400, error(400, "INVALID_ARGUMENT", "API key not valid.", details)),
    ).toMatchObject({
      message: "API key not valid.",
      code: "API_KEY_INVALID",
      requestId: "q1",
    });
    const other = failed(500, error(500, "INTERNAL", ""), { "x-request-id": "h1" });
    expect(other).toMatchObject({
      message: "google answered with status 500",
      code: "INTERNAL",
      requestId: "h1",
    });
  });

  test("F-R6: x-should-retry wins", () => {
    const body = error(500, "INTERNAL", "x");
    expect(failed(500, body, { "x-should-retry": "false" }).retryable).toBe(false);
    expect(
      failed(400, error(400, "INVALID_ARGUMENT", "x"), { "x-should-retry": "true" }).retryable,
    ).toBe(true);
  });

  test("F-N6: bodies in arrays, in strings and in HTML are read; plain text is kept short", () => {
    const inner = error(429, "RESOURCE_EXHAUSTED", "slow");
    expect(failed(429, [inner]).message).toBe("slow");
    const wrapped = { error: { code: 500, message: JSON.stringify(inner) } };
    expect(failed(500, wrapped)).toMatchObject({ message: "slow", category: "rate_limit" });
    expect(failed(400, { error: { message: "{broken" } }).message).toBe("{broken");
    expect(failed(502, `<p>${"a".repeat(999)}</p>`).message).toHaveLength(200);
    expect(failed(502, "{}").message).toBe("{}");
    expect(failed(502, "[]").message).toBe("[]");
    expect(failed(502, { error: { message: 7 } }).message).toBe("google answered with status 502");
    expect(failed(502, "").message).toBe("google answered with status 502");
  });
});
