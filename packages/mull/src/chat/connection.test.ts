import { describe, expect, test } from "vitest";
import { chat } from "./ask.ts";

/** Where a question goes with a base URL of the caller's. */
async function urlAt(model: string, baseUrl: string): Promise<string> {
  let asked = "";
  const fetch = (url: string): Promise<Response> => {
    asked = url;
    return Promise.resolve(new Response("{}", { status: 400 }));
  };
  const messages = [{ role: "user", parts: [{ type: "text", text: "hi" }] }] as const;
  const options = { apiKey: "k", env: {}, baseUrl, fetch, maxAttempts: 1 };
  await chat(model, { messages }, options).catch(() => undefined);
  return asked;
}

const gemini = "v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse";

describe("a base URL of the caller's", () => {
  test.each([
    ["claude-opus-5-5", "https://proxy.test", "https://proxy.test/v1/messages"],
    ["claude-opus-5-5", "https://proxy.test/a/", "https://proxy.test/a/v1/messages"],
    ["claude-opus-5-5", " https://proxy.test/a/v1/ ", "https://proxy.test/a/v1/messages"],
    ["claude-opus-5-5", "https://proxy.test/v1/team", "https://proxy.test/v1/team/v1/messages"],
    ["gpt-6-sol", "https://proxy.test/v1", "https://proxy.test/v1/responses"],
    ["gpt-6-sol", "https://proxy.test/v1/?tag=a&b=c", "https://proxy.test/v1/responses?tag=a&b=c"],
    ["gemini-3.8-flash", "https://proxy.test/v1beta", `https://proxy.test/${gemini}`],
    ["gemini-3.8-flash", "https://proxy.test?tag=a#top", `https://proxy.test/${gemini}&tag=a`],
  ])("%s at %s", async (model, baseUrl, url) => {
    expect(await urlAt(model, baseUrl)).toBe(url);
  });
});
