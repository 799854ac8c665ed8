import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentOptions } from "./options.ts";
import { Agent } from "./agent.ts";

afterEach(() => vi.unstubAllGlobals());

/** Asks two models in a row; the keys each host was shown. */
async function keysShown(
  first: string,
  second: string,
  options: AgentOptions,
): Promise<readonly string[]> {
  const shown: string[] = [];
  const listen = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { headers, url: address } = new Request(url, init);
    const key = headers.get("x-api-key") ?? headers.get("authorization") ?? "none";
    const trace = headers.has("x-trace") ? `, trace ${headers.get("x-trace")}` : "";
    shown.push(`${new URL(address).host}: ${key}${trace}`);
    return new Response("{}", { status: 400, headers: { "content-type": "application/json" } });
  };
  if (options.fetch === undefined) vi.stubGlobal("fetch", listen);
  const agent = new Agent(
    first,
    options.fetch === undefined ? options : { ...options, fetch: listen },
  );
  for (const model of [first, second]) {
    const error: unknown = await agent
      .use(model)
      .send("hi")
      .catch((thrown: unknown) => thrown);
    if (error instanceof Error && error.message.startsWith("No key")) shown.push(error.message);
  }
  return shown;
}

const claude = "api.anthropic.com: for-anthropic";

describe("an explicit key after a switch", () => {
  test("F-G4: credentials in a Headers stay at home too, what else it holds goes along", async () => {
    const headers = new Headers({ "X-Api-Key": "for-anthropic", "X-Trace": "7" });
    const shown = await keysShown("claude-opus-5-5", "gpt-6-sol", {
      headers,
      env: { OPENAI_API_KEY: "for-openai" },
    });
    expect(shown).toEqual([`${claude}, trace 7`, "api.openai.com: Bearer for-openai, trace 7"]);
  });

  test("F-G4: another vendor gets the key of its own variable", async () => {
    const env = { OPENAI_API_KEY: "for-openai" };
    const shown = await keysShown("claude-opus-5-5", "gpt-6-sol", { apiKey: "for-anthropic", env });
    expect(shown).toEqual([claude, "api.openai.com: Bearer for-openai"]);
  });

  test("F-G4: without one it is asked for, and nothing is sent", async () => {
    const options = { apiKey: "for-anthropic", env: {} };
    const shown = await keysShown("claude-opus-5-5", "gpt-6-sol", options);
    expect(shown).toEqual([claude, "No key for OpenAI. Set OPENAI_API_KEY, or pass apiKey."]);
  });

  test("F-G4: a key in a header stays behind too, other headers go along", async () => {
    const headers = { Authorization: "Bearer mine", "x-api-key": "for-anthropic", "x-trace": "7" };
    const env = { OPENAI_API_KEY: "for-openai" };
    const shown = await keysShown("claude-opus-5-5", "gpt-6-sol", { headers, env });
    expect(shown).toEqual([
      "api.anthropic.com: for-anthropic, trace 7",
      "api.openai.com: Bearer for-openai, trace 7",
    ]);
  });

  test("the same address takes it on every wire", async () => {
    const options = { apiKey: "for-openai", env: {} };
    const shown = await keysShown("gpt-6-sol", "openai-chat:gpt-6-sol", options);
    expect(shown).toEqual(Array(2).fill("api.openai.com: Bearer for-openai"));
  });

  test("a gateway takes it for every vendor behind it", async () => {
    const options = { apiKey: "for-gateway", baseUrl: "https://gateway.test", env: {} };
    const shown = await keysShown("claude-opus-5-5", "gpt-6-sol", options);
    expect(shown).toEqual(["gateway.test: for-gateway", "gateway.test: Bearer for-gateway"]);
  });

  test("a fetch of the program's own is given it for every vendor", async () => {
    const options = { apiKey: "simulated", env: {}, fetch: globalThis.fetch };
    const shown = await keysShown("claude-opus-5-5", "gpt-6-sol", options);
    expect(shown).toEqual(["api.anthropic.com: simulated", "api.openai.com: Bearer simulated"]);
  });
});
