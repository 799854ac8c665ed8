import { describe, expect, it } from "vitest";
import type { ErrorCategory } from "../../../types/error.ts";
import type { JsonObject } from "../../../types/json.ts";
import { isComplaint } from "./decode.ts";
import { decodeError, decodeInBandError } from "../../common/openai-errors.ts";

const openai = (
  message: string,
  type: string | null = "invalid_request_error",
  code: string | null = null,
) => ({ error: { message, type, param: null, code } });

const fail = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  decodeError(
    { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) },
    "acme",
  );

const categoryOf = (error: JsonObject): string =>
  decodeInBandError({ error: { message: "m", ...error } }, "acme").category;

describe("refusals", () => {
  const table: readonly (readonly [
    status: number,
    body: unknown,
    category: ErrorCategory,
    retryable: boolean,
  ])[] = [
    [400, openai("Unsupported value", undefined, "unsupported_value"), "invalid_argument", false],
    [
      400,
      openai(
        "Your input exceeds the context window of this model.",
        undefined,
        "context_length_exceeded",
      ),
      "context_overflow",
      false,
    ],
    [400, openai("filtered", null, "content_filter"), "content_filter", false],
    [400, { code: "bad", error: "Incorrect API key provided: ab***" }, "auth", false],
    [401, openai("no key", "invalid_request_error", "invalid_api_key"), "auth", false],
    [402, openai("Insufficient Balance"), "quota", false],
    [403, openai("insufficient credits is not why"), "permission", false],
    [404, openai("The model `x` does not exist", undefined, "model_not_found"), "not_found", false],
    [408, "upstream request timeout", "timeout", true],
    [409, openai("locked"), "server", true],
    [413, "", "context_overflow", false],
    [
      429,
      openai("Rate limit reached. Please try again in 644ms.", "tokens", "rate_limit_exceeded"),
      "rate_limit",
      true,
    ],
    [
      429,
      openai(
        "Request too large for gpt-4.1: Limit 30000, Requested 31538.",
        "tokens",
        "rate_limit_exceeded",
      ),
      "invalid_argument",
      false,
    ],
    [
      429,
      openai("You exceeded your current quota", "insufficient_quota", "insufficient_quota"),
      "quota",
      false,
    ],
    [
      429,
      { error: { code: "1305", message: "The service may be temporarily overloaded" } },
      "overloaded",
      true,
    ],
    [
      500,
      {
        object: "error",
        message: "Service unavailable.",
        type: "internal_server_error",
        code: "1000",
      },
      "server",
      true,
    ],
    [502, "<html><body>Bad gateway</body></html>", "server", true],
    [503, { error: "model is busy" }, "overloaded", true],
    [529, {}, "overloaded", true],
    [302, "", "unknown", false],
  ];

  it("F-G10 F-R5 have a category and say whether to try again", () => {
    for (const [status, body, category, retryable] of table) {
      const error = fail(status, body);
      expect({ status, category: error.category, retryable: error.retryable }).toEqual({
        status,
        category,
        retryable,
      });
    }
  });

  it("F-R6 x-should-retry wins over the status", () => {
    expect(fail(500, {}, { "x-should-retry": "false" }).retryable).toBe(false);
    expect(fail(400, {}, { "x-should-retry": "true" }).retryable).toBe(true);
    expect(fail(500, {}, { "x-should-retry": "maybe" }).retryable).toBe(true);
  });

  it("F-R1 carry the wait, the request id and the code", () => {
    const error = fail(429, openai("slow", "requests", "rate_limit_exceeded"), {
      "retry-after-ms": "660",
      "x-request-id": "req_1",
    });
    expect(error).toMatchObject({
      retryAfterMs: 660,
      requestId: "req_1",
      code: "rate_limit_exceeded",
      provider: "acme",
      status: 429,
    });
  });

  it("F-N6 tell of a foreign body in at most 200 plain characters", () => {
    const error = fail(
      502,
      `<html><style>p{}</style><h1>Bad\u0007  gateway</h1>${"x".repeat(9000)}</html>`,
    );
    expect(error.message).toMatch(/^Bad gateway x+…$/);
    expect(error.message.length).toBe(200);
    expect(fail(503, "").message).toBe("acme answered with status 503");
    expect(fail(500, "[]").message).toBe("[]");
    expect(fail(500, { a: 1 }).message).toBe('{"a":1}');
  });

  it("read the shapes of other servers", () => {
    const messages = [
      [
        {
          error: {
            message: "Provider returned error",
            code: 429,
            metadata: { raw: '{"error":{"message":"inner"}}' },
          },
        },
        "Provider returned error: inner",
      ],
      [{ error: { metadata: { raw: "plain words" } } }, "plain words"],
      [{ detail: "Unauthorized" }, "Unauthorized"],
      [
        {
          detail: [
            { loc: ["body", "messages"], msg: "too short" },
            { msg: "bad" },
            { loc: ["x"] },
            7,
          ],
        },
        "body.messages: too short; bad; x",
      ],
      [{ error_code: 401, message: "no credential" }, "no credential"],
      [{ "html-message": '{"error":{"message":"wrapped"}}' }, "wrapped"],
      [{ "html-message": "<b>plain</b>" }, "plain"],
      [{ base_resp: { status_code: 1004, status_msg: "login fail" } }, "login fail"],
      [[{ error: { code: 400, message: "in a list" } }], "in a list"],
    ] as const;
    for (const [body, message] of messages) expect(fail(418, body).message).toBe(message);
  });
});

describe("errors with status 200", () => {
  it("F-R8 are told from answers", () => {
    expect(isComplaint({ error: null, choices: [] })).toBe(false);
    expect(isComplaint({ base_resp: { status_code: 0 } })).toBe(false);
    expect(isComplaint({ base_resp: {} })).toBe(false);
    expect(isComplaint({ base_resp: { status_code: 2013 } })).toBe(true);
    expect(isComplaint({ object: "error" })).toBe(true);
    expect(isComplaint({ error: "no" })).toBe(true);
  });

  it("F-R8 take their category from the status inside, or from their type", () => {
    expect(categoryOf({ status_code: 400 })).toBe("invalid_argument");
    expect(categoryOf({ code: 502 })).toBe("server");
    expect(categoryOf({ code: "429" })).toBe("rate_limit");
    expect(categoryOf({ type: "server_error" })).toBe("server");
    expect(categoryOf({ type: "rate_limit_error" })).toBe("rate_limit");
    expect(categoryOf({ type: "permission_error" })).toBe("permission");
    expect(categoryOf({ type: "not_found_error" })).toBe("not_found");
    expect(categoryOf({ type: "timeout" })).toBe("timeout");
    expect(categoryOf({ type: "invalid_request_error" })).toBe("invalid_argument");
    expect(categoryOf({ code: 7 })).toBe("unknown");
    expect(decodeInBandError({ object: "error" }, "acme").category).toBe("unknown");
    const deep: unknown = JSON.parse(`{"a":${"[".repeat(9000)}${"]".repeat(9000)}}`);
    expect(categoryOf({ code: 500, deep: deep as JsonObject })).toBe("server");
  });
});
