import { describe, expect, test } from "vitest";
import { chat } from "./ask.ts";
import type { ChatOptions } from "./request-options.ts";

const question = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

const sleep = (): Promise<void> => Promise.resolve();

/** How often a service that is down is asked. */
async function askDown(calls: number, options: ChatOptions): Promise<number> {
  let asked = 0;
  const fetch = (): Promise<Response> => {
    asked++;
    return Promise.resolve(new Response("{}", { status: 503 }));
  };
  const one = (): Promise<unknown> =>
    chat("glm-4.7", question, { env: {}, sleep, fetch, ...options }).catch(() => undefined);
  for (let call = 0; call < calls; call++) await one();
  return asked;
}

describe("F-R10: the retries of one address and key", () => {
  test("an outage of one tenant leaves the retries of the others alone", async () => {
    const baseUrl = "https://gateway.test/one";
    expect(await askDown(50, { apiKey: "tenant-a-key", baseUrl })).toBe(60);
    expect(await askDown(1, { apiKey: "tenant-a-key", baseUrl })).toBe(1);
    expect(await askDown(1, { apiKey: "tenant-b-key", baseUrl })).toBe(3);
    const headers = { authorization: "Bearer tenant-c-token" };
    expect(await askDown(1, { headers, baseUrl })).toBe(3);
  });

  test("an address that is down leaves the retries of the others alone", async () => {
    const apiKey = "one-key-for-all";
    expect(await askDown(50, { apiKey, baseUrl: "https://down.test" })).toBe(60);
    expect(await askDown(1, { apiKey, baseUrl: "https://down.test" })).toBe(1);
    expect(await askDown(1, { apiKey, baseUrl: "https://up.test" })).toBe(3);
  });

  test("tenants who sign with headers of their own have retries of their own", async () => {
    const baseUrl = "https://gateway.test/two";
    const signed = (token: string): ChatOptions => ({
      baseUrl,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await askDown(50, signed("token-of-one"))).toBe(60);
    expect(await askDown(1, signed("token-of-two"))).toBe(3);
  });
});

describe("a request that is larger than the allowance of a minute", () => {
  const refusal = JSON.stringify({
    error: {
      message:
        "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 31538. The input or output tokens must be reduced in order to run successfully.",
      type: "tokens",
      param: null,
      code: "rate_limit_exceeded",
    },
  });

  test.each(["gpt-6-sol", "openai-chat:gpt-4o", "groq:openai/gpt-oss-120b", "azure:gpt-4o"])(
    "%s: 429 is not tried again, whatever the headers say",
    async (model) => {
      let asked = 0;
      const fetch = (): Promise<Response> => {
        asked++;
        const headers = { "retry-after": "0", "x-should-retry": "true" };
        return Promise.resolve(new Response(refusal, { status: 429, headers }));
      };
      const options = { apiKey: "k", baseUrl: "https://large.test", fetch, env: {} };
      await expect(chat(model, question, options)).rejects.toMatchObject({
        category: "invalid_argument",
        status: 429,
        retryable: false,
      });
      expect(asked).toBe(1);
    },
  );
});
