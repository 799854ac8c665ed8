import { describe, expect, it } from "vitest";
import type { MullError } from "../../../types/error.ts";
import { openaiResponses } from "../index.ts";

const decode = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): MullError =>
  openaiResponses.decodeError(
    { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) },
    "openai",
  );
const error = (
  message: string,
  code: string | number | null = null,
  type = "invalid_request_error",
): object => ({
  error: { message, type, param: null, code },
});

describe("refusals (R169, F-G10)", () => {
  it.each([
    [400, error("bad", "unsupported_value"), "invalid_argument", false],
    [
      400,
      error("Your input exceeds the context window of this model.", "context_length_exceeded"),
      "context_overflow",
      false,
    ],
    [400, error("no", "invalid_prompt"), "content_filter", false],
    [400, error("no", "bio_policy"), "content_filter", false],
    [400, { code: "invalid-argument", error: "Incorrect API key provided." }, "auth", false],
    [401, { detail: "Sign in again." }, "auth", false],
    [402, {}, "quota", false],
    [403, error("no"), "permission", false],
    [404, error("Model not found x"), "not_found", false],
    [408, "", "timeout", true],
    [409, "", "server", true],
    [413, "", "context_overflow", false],
    [418, "", "invalid_argument", false],
    [422, error("no", 422), "invalid_argument", false],
    [
      429,
      error("Rate limit reached. Please try again in 644ms.", "rate_limit_exceeded", "tokens"),
      "rate_limit",
      true,
    ],
    [
      429,
      error(
        "Request too large for gpt-4o: Limit 30000, Requested 31538.",
        "rate_limit_exceeded",
        "tokens",
      ),
      "invalid_argument",
      false,
    ],
    [
      429,
      error("You exceeded your current quota.", "insufficient_quota", "insufficient_quota"),
      "quota",
      false,
    ],
    [429, error("Usage limit.", null, "usage_limit_reached"), "quota", false],
    [500, error("oops", null, "server_error"), "server", true],
    [
      502,
      "<html><head><style>p{}</style></head><body><h1>Bad gateway</h1></body></html>",
      "server",
      true,
    ],
    [503, error("busy"), "overloaded", true],
  ])("%i %j is %s", (status, body, category, retryable) => {
    expect(decode(status, body)).toMatchObject({ category, retryable, status, provider: "openai" });
  });

  it("F-R6: the service's word on retrying wins", () => {
    expect(decode(400, "", { "x-should-retry": "true" }).retryable).toBe(true);
    expect(decode(500, "", { "x-should-retry": "false" }).retryable).toBe(false);
  });

  it("R168: keeps code, message, request id and the wait", () => {
    const failure = decode(429, error("Slow down.", "rate_limit_exceeded"), {
      "x-request-id": "req_1",
      "retry-after": "2",
    });
    expect(failure).toMatchObject({
      code: "rate_limit_exceeded",
      message: "Slow down.",
      requestId: "req_1",
      retryAfterMs: 2000,
    });
    expect(decode(500, "", { "apim-request-id": "a" }).requestId).toBe("a");
    expect(decode(500, error("x", 5)).code).toBe("5");
    expect(decode(500, error("x")).code).toBe("invalid_request_error");
    expect(decode(500, "").code).toBeUndefined();
  });

  it("F-N6: a proxy's page becomes at most 200 plain characters", () => {
    const page = `<html><script>alert(1)</script><body>Bad  gateway ${"x".repeat(10_000)}</body></html>`;
    const { message } = decode(502, page);
    expect(message).toHaveLength(200);
    expect(message).toMatch(/^Bad gateway x/);
    expect(decode(502, "<p></p>").message).toBe("openai answered with status 502");
  });
});
