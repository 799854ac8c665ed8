import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { testWires, type TestWire } from "./testing/wires.ts";

const anthropic = { "x-api-key": "k", "anthropic-version": "2023-06-01" };
const openai = { authorization: "Bearer k" };

const google = { "x-goog-api-key": "k" };

const errorOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { error: unknown }).error,
];

describe("P-J1 addresses and methods that nobody answers", () => {
  it.each([
    ["a base URL that names the version twice", "POST", "/v1/v1/messages", anthropic, 404],
    ["a path that is not there", "POST", "/v1/message", anthropic, 404],
    ["a method the path does not take", "GET", "/v1/messages", anthropic, 405],
    ["the same of OpenAI", "PUT", "/v1/responses", openai, 405],
    ["a version twice for OpenAI", "POST", "/v1/v1/responses", openai, 404],
  ])("%s", async (_, method, path, headers, status) => {
    const fetch = emulate();
    const response = await fetch(`http://x${path}`, { method, headers });
    expect(response.status).toBe(status);
    expect(fetch.journal()).toMatchObject([{ verdict: "unknown", status }]);
    const id = response.headers.get("request-id") ?? response.headers.get("x-request-id");
    expect(id).toMatch(/^req_/);
  });

  it("says in the words of OpenAI that the method is wrong", async () => {
    const response = await emulate()("http://x/v1/responses", { method: "PUT", headers: openai });
    expect(await errorOf(response)).toEqual([
      405,
      {
        message:
          "Not allowed to PUT on /v1/responses. (HINT: Perhaps you meant to use a different HTTP method?)",
        type: "invalid_request_error",
        param: null,
        code: "method_not_supported",
      },
    ]);
  });

  it.each([
    ["POST", "/v1/messages/batches", anthropic],
    ["GET", "/v1/files", anthropic],
    ["POST", "/v1/embeddings", openai],
    ["POST", "/v1/responses/compact", openai],
    ["POST", "/v1/responses/resp_1/cancel", openai],
    ["POST", "/v1beta/models/gemini-3.8-flash:batchGenerateContent", google],
    ["POST", "/upload/v1beta/files", google],
    ["POST", "/v1beta/interactions", google],
  ])("owns up to what it does not have: %s %s", async (method, path, headers) => {
    const response = await emulate()(`http://x${path}`, { method, headers });
    expect(await errorOf(response)).toEqual([
      404,
      expect.objectContaining({
        message: `The mull emulator does not serve ${method} ${path}; the service itself may.`,
      }),
    ]);
  });

  it("repeats the id of an Anthropic request in every error", async () => {
    for (const path of ["/v1/nothing", "/v1/models/nobody"]) {
      const response = await emulate()(`http://x${path}`, { headers: anthropic });
      const body = (await response.json()) as { request_id?: string };
      expect(body.request_id).toBe(response.headers.get("request-id"));
    }
  });

  it("introduces itself to who opens its address", async () => {
    const response = await emulate()("http://127.0.0.1:8787/");
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("/__mull/journal"),
    ]);
  });
});

const post = (wire: TestWire, type: string, body: string): Promise<Response> =>
  emulate()(wire.url, {
    method: "POST",
    headers: { ...wire.headers, "content-type": type },
    body,
  });

describe("P-J1 bodies that aren't JSON", () => {
  const [, responses, chat] = testWires as [TestWire, TestWire, TestWire];
  it("Chat Completions finds no model in what is said to be something else", async () => {
    const body = JSON.stringify(chat.body("Hi"));
    const refused = await post(chat, "application/x-www-form-urlencoded", body);
    expect(await errorOf(refused)).toMatchObject([
      400,
      { message: "you must provide a model parameter" },
    ]);
    expect((await post(chat, "application/json; charset=utf-8", body)).status).toBe(200);
  });

  it("Responses names the header", async () => {
    const refused = await post(responses, "text/plain", JSON.stringify(responses.body("Hi")));
    expect(await errorOf(refused)).toMatchObject([
      400,
      {
        message:
          "Unsupported content type: 'text/plain'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: text/plain'. Please try again with a supported content type.",
        code: "unsupported_content_type",
      },
    ]);
  });

  it("OpenAI hints at the HTTP library", async () => {
    const refused = await post(chat, "application/json", "{");
    expect(await refused.text()).toContain("(HINT: This likely means you aren't using your HTTP");
  });
});
