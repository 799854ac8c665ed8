import { chat, findModel, providers, streamChat } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { listen } from "./node.ts";

const asked = { messages: [{ role: "user", parts: [{ type: "text", text: "2 + 2?" }] }] } as const;
const env = {};

const servers: readonly (readonly [string, string, string])[] = [
  ["ollama", "qwen3:8b", "reasoning"],
  ["vllm", "Qwen/Qwen3-8B", "reasoning"],
  ["sglang", "Qwen/Qwen3-8B", "reasoning_content"],
  ["llamacpp", "Qwen3-1.7B-Q4_K_M", "reasoning_content"],
];

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  [
    url,
    {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    },
  ] as const;

const hi = { messages: [{ role: "user", content: "Hi" }] };

describe("P-J6 servers of this machine", () => {
  it.each(servers)("%s answers without a key and thinks under its own name", async (id, model) => {
    const fetch = emulate();
    const reply = await chat(`${id}:${model}/high`, asked, { fetch, env });
    expect(reply.text).toContain("4");
    expect(reply.thinking).not.toBe("");
    expect(fetch.journal()).toMatchObject([{ status: 200, model }]);
  });

  it.each(servers)("%s writes thinking where its clients look", async (id, model, field) => {
    const provider = providers.find((known) => known.id === id);
    const response = await emulate()(
      ...post(`${provider?.baseUrl}/chat/completions`, {
        model,
        chat_template_kwargs: { enable_thinking: true },
        reasoning_effort: "high",
        ...hi,
      }),
    );
    const answer = (await response.json()) as { choices: [{ message: Record<string, unknown> }] };
    expect(answer.choices[0].message[field]).toEqual(expect.any(String));
  });

  it("serves whatever was loaded, under any name", async () => {
    const fetch = emulate();
    const stream = streamChat("ollama:my-own-model", asked, { fetch, env });
    expect((await stream.result()).text).toContain("4");
  });

  it("is named by the first step of the path behind the emulator's own port", async () => {
    const { url, close } = await listen();
    try {
      const reply = await chat("ollama:qwen3:8b", asked, {
        env: { OLLAMA_BASE_URL: `${url}/ollama/v1` },
      });
      expect(reply.text).toContain("4");
      const plain = await fetch(
        ...post(`${url}/v1/chat/completions`, { model: "qwen3:8b", ...hi }),
      );
      expect(plain.status).toBe(401);
    } finally {
      await close();
    }
  });

  it("a key is not looked at, and a vendor's own model stays the vendor's", async () => {
    const url = "http://localhost:8080/v1/chat/completions";
    const keyed = { authorization: "Bearer invalid" };
    const taken = await emulate()(...post(url, { model: "qwen3-8b", ...hi }, keyed));
    expect(taken.status).toBe(200);
    const judged = await emulate()(
      ...post(url, { model: "gpt-5.1", reasoning_effort: "minimal", ...hi }),
    );
    expect([judged.status, await judged.text()]).toEqual([
      400,
      expect.stringContaining("'reasoning_effort' does not support 'minimal'"),
    ]);
  });

  it("lists the models it was given, and no vendor's", async () => {
    const row = { ...findModel("qwen3:8b", { provider: "ollama" }), id: "mine:latest" };
    const list = await emulate({ models: [row] })("http://localhost:11434/v1/models");
    expect(await list.json()).toMatchObject({
      object: "list",
      data: [{ id: "mine:latest", owned_by: "ollama" }],
    });
  });
});

describe("P-J6 hosts of others' models", () => {
  it("show the thinking of models whose makers keep it to themselves", async () => {
    const fetch = emulate();
    for (const model of ["anthropic/claude-opus-5-5", "openai/gpt-5.1"]) {
      const reply = await chat(`openrouter:${model}/high`, asked, { fetch, apiKey: "test" });
      expect([reply.text, reply.thinking]).toEqual([
        expect.stringContaining("4"),
        expect.stringMatching(/./),
      ]);
    }
  });

  it("want a key and know their models", async () => {
    const url = "https://openrouter.ai/api/v1/chat/completions";
    const keyless = await emulate()(...post(url, { model: "openai/gpt-5.1", ...hi }));
    expect(keyless.status).toBe(401);
    const key = { authorization: "Bearer k" };
    const unknown = await emulate()(...post(url, { model: "nobody/nothing", ...hi }, key));
    expect(unknown.status).toBe(404);
  });
});
