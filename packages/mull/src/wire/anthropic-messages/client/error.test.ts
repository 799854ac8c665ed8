import { expect, test } from "vitest";
import type { MullError } from "../../../types/error.ts";
import { decodeError } from "./error.ts";

const body = (type: string, message = "m", details?: object): string =>
  JSON.stringify({
    type: "error",
    error: { type, message, ...(details && { details }) },
    request_id: "req_body",
  });
const failed = (status: number, text: string, headers: Record<string, string> = {}): MullError =>
  decodeError({ status, headers, body: text }, "anthropic");

test.each([
  [400, "invalid_request_error", "invalid_argument", false],
  [401, "authentication_error", "auth", false],
  [402, "billing_error", "quota", false],
  [403, "permission_error", "permission", false],
  [404, "not_found_error", "not_found", false],
  [409, "conflict_error", "server", true],
  [413, "request_too_large", "invalid_argument", false],
  [429, "rate_limit_error", "rate_limit", true],
  [500, "api_error", "server", true],
  [503, "novel_error", "overloaded", true],
  [504, "timeout_error", "timeout", true],
  [529, "overloaded_error", "overloaded", true],
  [413, "novel_error", "invalid_argument", false],
  [418, "novel_error", "invalid_argument", false],
] as const)("F-G10: %i %s is %s", (status, type, category, retryable) => {
  expect(failed(status, body(type))).toMatchObject({
    status,
    code: type,
    category,
    retryable,
    requestId: "req_body",
    provider: "anthropic",
  });
});

test.each([
  [
    400,
    body("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "context_overflow",
  ],
  [400, body("invalid_request_error", "Your credit balance is too low"), "quota"],
  [
    400,
    body("invalid_request_error", "You have reached your specified API usage limits."),
    "quota",
  ],
  [
    400,
    body("invalid_request_error", "Output blocked by content filtering policy"),
    "content_filter",
  ],
  [429, body("rate_limit_error", "m", { error_code: "enforced_spend_limit_reached" }), "quota"],
  [429, body("rate_limit_error", "m", { error_code: "contract_spend_limit_reached" }), "quota"],
] as const)("F-R5: %i %s is %s and never tried again", (status, text, category) => {
  expect(failed(status, text)).toMatchObject({ category, retryable: false });
});

test("F-R1: the service's wait and stable code are kept", () => {
  const error = failed(
    429,
    body("rate_limit_error", "slow", { error_code: "ramp_limit_exceeded" }),
    { "retry-after": "8", "request-id": "req_head" },
  );
  expect(error).toMatchObject({
    code: "ramp_limit_exceeded",
    retryAfterMs: 8000,
    requestId: "req_head",
    retryable: true,
  });
  expect(error.message).toBe("anthropic: slow (429 rate_limit_error)");
});

test("F-R6: x-should-retry wins over the status", () => {
  expect(failed(500, body("api_error"), { "x-should-retry": "false" }).retryable).toBe(false);
  expect(failed(400, body("invalid_request_error"), { "x-should-retry": "true" }).retryable).toBe(
    true,
  );
});

test("F-N6: a proxy's page becomes a short plain message", () => {
  const error = failed(
    502,
    `<html><style>b{}</style><h1>Bad\u0007 gateway</h1>${"<p>x</p>".repeat(9999)}`,
  );
  expect(error).toMatchObject({ category: "server", retryable: true, status: 502 });
  expect(error.message).toMatch(/^anthropic: Bad gateway x x/);
  expect(error.message.length).toBeLessThan(230);
  expect(failed(503, "upstream connect error").category).toBe("server");
  expect(failed(404, "").message).toBe("anthropic: the service gave no reason (404)");
});

test("other shapes of error bodies are read", () => {
  expect(failed(401, '{"error":{"message":"token expired","type":"401"}}')).toMatchObject({
    category: "auth",
    code: "401",
  });
  expect(failed(400, '[{"error":{"code":400,"message":"wrapped"}}]').message).toContain("wrapped");
  expect(failed(422, '{"message":"bare"}')).toMatchObject({ category: "invalid_argument" });
  expect(failed(400, '"text"')).toMatchObject({
    category: "invalid_argument",
    message: 'anthropic: "text" (400)',
  });
});
