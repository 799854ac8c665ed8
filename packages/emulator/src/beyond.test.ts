import { Agent, type JsonObject } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "./emulate.ts";
import { ask, type WireName } from "./testing/ask.ts";

const asked = "What is the weather in Oslo?";

const questions: Readonly<Record<WireName, JsonObject>> = {
  anthropic: {
    model: "claude-sonnet-4-5",
    max_tokens: 3000,
    messages: [{ role: "user", content: asked }],
  },
  responses: { model: "gpt-6-sol", input: asked },
  chat: { model: "gpt-4.1", messages: [{ role: "user", content: asked }] },
  google: { model: "gemini-3.8-flash", contents: [{ role: "user", parts: [{ text: asked }] }] },
};

const hosted = { type: "web_search" };
const claudesSearch = { type: "web_search_20250305", name: "web_search" };

const betas = {
  "anthropic-beta": "mcp-client-2025-11-20,server-side-fallback-2026-07-01,compact-2026-09-04",
};

describe("R443 a conversation that the service would shorten", () => {
  it.each(["claude-opus-5-5/low", "gpt-6-sol/low"])(
    "%s: is answered as long as it is short, and then refused as a limit of the emulator",
    async (model) => {
      const fetch = emulate();
      const agent = new Agent(model, { fetch, apiKey: "k", serviceCompactsAt: 60_000 });
      expect((await agent.send("What is 2 + 3?")).text).toContain("5");
      await expect(agent.send("What is 3 + 3? ".repeat(20_000))).rejects.toMatchObject({
        category: "invalid_argument",
        message: expect.stringMatching(
          /emulator doesn't shorten conversations; the service itself may. Leave `context_management` out/,
        ),
      });
    },
  );
});

describe("P-J1 what the emulator cannot do, it refuses, and says that the limit is its own", () => {
  it.each<readonly [WireName, string, JsonObject]>([
    [
      "anthropic",
      "mcp_servers",
      { mcp_servers: [{ type: "url", url: "https://mcp.test", name: "notes" }] },
    ],
    ["anthropic", "container", { container: "container_1" }],
    ["anthropic", "fallbacks", { fallbacks: [{ model: "claude-opus-4-8" }] }],
    ["anthropic", "compaction", { compaction: { type: "summarize" } }],
    ["anthropic", "tool_choice", { tools: [claudesSearch], tool_choice: { type: "any" } }],
    ["responses", "prompt", { prompt: { id: "pmpt_1" } }],
    ["responses", "moderation", { moderation: { model: "omni-moderation-latest" } }],
    ["responses", "tool_choice", { tools: [hosted], tool_choice: hosted }],
    ["responses", "tool_choice", { tools: [hosted], tool_choice: "required" }],
    [
      "responses",
      "tools",
      { tools: [{ type: "mcp", server_label: "notes", server_url: "https://mcp.test" }] },
    ],
    ["chat", "modalities", { modalities: ["text", "audio"] }],
    ["chat", "audio", { audio: { voice: "alloy", format: "wav" } }],
    ["chat", "web_search_options", { web_search_options: {} }],
    ["chat", "functions", { functions: [{ name: "look_up" }] }],
    [
      "google",
      "generationConfig.responseModalities",
      { generationConfig: { responseModalities: ["TEXT", "IMAGE"] } },
    ],
  ])("%s: %s", async (wire, field, more) => {
    const emulator = emulate();
    const { status, message } = await ask(emulator, wire, { ...questions[wire], ...more }, betas);
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^The mull emulator .+; the service itself may\. Leave `/),
    ]);
    expect(message).toContain(`\`${field}\``);
    expect(emulator.journal().at(-1)).toMatchObject({ verdict: "refused", rule: "emulator/limit" });
  });

  it.each<readonly [WireName, JsonObject]>([
    ["anthropic", { mcp_servers: [], container: null }],
    ["anthropic", { tools: [claudesSearch] }],
    ["responses", { tools: [hosted] }],
    ["chat", { modalities: ["text"], audio: null, store: false }],
    ["google", { generationConfig: { responseModalities: ["TEXT"] } }],
  ])("%s takes what asks for nothing of it: %j", async (wire, more) => {
    const { status, message } = await ask(emulate(), wire, { ...questions[wire], ...more });
    expect([status, message]).toEqual([200, ""]);
  });
});
