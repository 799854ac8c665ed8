import { describe, expect, test } from "vitest";
import { serveHttp } from "../../../../test/loopback.ts";
import { providers } from "../providers/index.ts";
import { chat } from "./ask.ts";
import { findKey } from "./connection.ts";

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

/** What a local server is told about who asks. */
async function signatureAt(
  model: string,
  options: { readonly apiKey?: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string | undefined> {
  let signature: string | undefined;
  const server = await serveHttp((request, response) => {
    signature = request.headers.authorization;
    response.writeHead(400).end("{}");
  });
  const messages = [{ role: "user", parts: [{ type: "text", text: "hi" }] }] as const;
  await chat(model, { messages }, { env: {}, baseUrl: server.url, ...options }).catch(
    () => undefined,
  );
  return signature;
}

describe("the key of a server of one's own", () => {
  const local = ["vllm:qwen3", "sglang:qwen3", "llamacpp:qwen3", "ollama:qwen3:8b"];

  test.each(local)("%s is sent the apiKey that was given", async (model) => {
    expect(await signatureAt(model, { apiKey: "of-my-own" })).toBe("Bearer of-my-own");
  });

  test.each([
    ["vllm:qwen3", "VLLM_API_KEY"],
    ["sglang:qwen3", "SGLANG_API_KEY"],
    ["llamacpp:qwen3", "LLAMACPP_API_KEY"],
    ["ollama:qwen3:8b", "OLLAMA_API_KEY"],
  ])("%s is sent the key in %s", async (model, name) => {
    expect(await signatureAt(model, { env: { [name]: "of-the-shell" } })).toBe(
      "Bearer of-the-shell",
    );
  });

  test.each(local)("%s is asked without a key where there is none", async (model) => {
    expect(await signatureAt(model, {})).toBeUndefined();
  });

  test("every provider reads <VENDOR>_API_KEY", () => {
    const deaf = providers.filter((provider) => {
      const vendor = provider.baseUrlVariable.replace(/_BASE_URL$/, "");
      return findKey(provider, { [`${vendor}_API_KEY`]: "found" }) !== "found";
    });
    expect(deaf.map(({ id }) => id)).toEqual([]);
  });
});
