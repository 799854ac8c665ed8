import { describe, expect, test } from "vitest";

import { anthropic } from "../anthropic.ts";
import { google } from "../google.ts";
import { openai, openaiChatProvider } from "../openai.ts";
import { findModel, providerName } from "../catalogue/find-model.ts";
import { solveThinking } from "../dial/solve.ts";
import type { JsonObject } from "../types/json.ts";
import type { Provider } from "../types/provider.ts";
import { findProvider, providers, resolveModel } from "./index.ts";
import { targetOf } from "./target-of.ts";

const own: Provider = {
  ...findProvider("openai-chat"),
  id: "acme",
  name: "Acme",
  models: [{ ...findModel("gpt-4o"), id: "wordbox-1", provider: "acme" }],
  assume: () => undefined,
};

/** The body of one question, as it would go out. */
const bodyOf = (ref: string): JsonObject => {
  const { provider, model, level } = resolveModel(ref);
  const plan = solveThinking(model, { ...(level !== undefined && { level }) });
  const request = {
    model: model.id,
    messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "2+2?" }] }],
    thinking: plan.setting,
    show: plan.show,
    stream: true,
    ...(plan.maxOutputTokens !== undefined && { maxOutputTokens: plan.maxOutputTokens }),
  };
  const quirks = provider.quirks;
  return provider.wire.encode(request, { model, ...(quirks !== undefined && { quirks }) }).body;
};

describe("providers", () => {
  test("R224 R225 R226 D7 declare what they can do", () => {
    for (const id of ["anthropic", "openai-responses", "google"]) {
      expect(findProvider(id).capabilities).toContain("thinking");
    }
  });

  test("each has a unique id, an address, a variable for it, and a way to sign in", () => {
    expect(new Set(providers.map((each) => each.id)).size).toBe(providers.length);
    for (const provider of providers) {
      expect(provider.name).toBe(providerName(provider.id));
      expect(URL.canParse(provider.baseUrl)).toBe(true);
      expect(provider.baseUrlVariable).toMatch(/^[A-Z]+_BASE_URL$/);
      expect(provider.auth === "none" || provider.keyVariables.length > 0).toBe(true);
      for (const model of provider.models) expect(model.provider).toBe(provider.id);
      expect(findModel("gpt-oss-120b", { provider: provider.id }).wire).toBe(provider.wire.id);
    }
  });

  test("one from an entry of its own is the one that refs find", () => {
    for (const provider of [anthropic, openai, openaiChatProvider, google])
      expect(findProvider(provider.id)).toBe(provider);
  });

  test("an unknown one is refused with the list", () => {
    expect(() => findProvider("opnai")).toThrow('Unknown provider "opnai". Providers: anthropic');
  });
});

describe("resolving a ref", () => {
  test.each([
    ["claude-sonnet-4-5/med", "anthropic", "anthropic-messages"],
    ["gpt-5/low", "openai", "openai-responses"],
    ["o3-mini/none", "openai", "openai-responses"],
    ["gemini-3-pro/none", "google", "google-generate"],
    ["openai-responses:gpt-5", "openai", "openai-responses"],
    ["openai-chat:gpt-5", "openai-chat", "openai-chat"],
    ["anthropic:claude-sonnet-4-5", "anthropic", "anthropic-messages"],
    ["deepseek-v4-pro/max", "deepseek", "openai-chat"],
    ["openrouter:anthropic/claude-opus-5-5/high", "openrouter", "openai-chat"],
    ["anthropic:some-proxy-model", "anthropic", "anthropic-messages"],
  ])("R70 R194 R205 %s goes to %s over %s", (ref, provider, wire) => {
    const resolved = resolveModel(ref);
    expect(resolved.provider.id).toBe(provider);
    expect(resolved.model).toMatchObject({ provider, wire });
  });

  test("a parsed ref is taken too, and the level comes along", () => {
    expect(resolveModel({ name: "gpt-5", level: "low" }).level).toBe("low");
    expect(resolveModel("gpt-5")).not.toHaveProperty("level");
  });

  test("rows and providers of one's own win", () => {
    expect(resolveModel("wordbox-1", { providers: [own] }).provider.name).toBe("Acme");
    expect(resolveModel("acme:anything/high", { providers: [own] }).model).toMatchObject({
      provider: "acme",
      assumed: true,
    });
    const row = { ...findModel("gpt-4o"), id: "gpt-5" };
    expect(resolveModel("gpt-5", { models: [row] }).model.thinking.kind).toBe("none");
    expect(resolveModel("openai:gpt-5", { models: [row] }).model.thinking.kind).toBe("none");
    expect(resolveModel("gpt-6-sol", { providers: [own] }).provider.id).toBe("openai");
  });

  test("a name nobody knows is refused with the list, a slip with the name that was meant", () => {
    expect(() => resolveModel("wordbox-1")).toThrow("No provider is known for the model");
    expect(() => resolveModel("gpt6-sol/high")).toThrow(
      expect.objectContaining({ fix: "Did you mean gpt-6-sol?" }),
    );
  });
});

describe("on the wire", () => {
  test("R51 R74 R76 a Gemini 3 request has a level and no budget", () => {
    const config = bodyOf("gemini-3.0-flash/med")["generationConfig"];
    expect(config).toMatchObject({
      thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
    });
    expect(JSON.stringify(config)).not.toContain("thinkingBudget");
  });

  test("R52 R73 a Gemini 2.5 request has a budget and no level", () => {
    const config = bodyOf("gemini-2.5-pro/med")["generationConfig"];
    expect(config).toMatchObject({ thinkingConfig: { thinkingBudget: 21_888 } });
    expect(JSON.stringify(config)).not.toContain("thinkingLevel");
  });

  test("R66 R71 Claude and GPT carry what the plan says", () => {
    expect(bodyOf("claude-sonnet-4-5/med")).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 43_008 },
      max_tokens: 51_200,
    });
    expect(bodyOf("gpt-5-mini/med")).toMatchObject({
      reasoning: { effort: "medium", summary: "auto" },
    });
  });

  test.each([
    ["deepseek-v4-flash/high", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
    ["deepseek-v4-flash/none", { thinking: { type: "disabled" } }],
    ["openrouter:openai/gpt-5/low", { reasoning: { effort: "low" } }],
    ["groq:openai/gpt-oss-120b/med", { reasoning_effort: "medium", reasoning_format: "parsed" }],
    ["groq:qwen/qwen3.6-32b/med", { reasoning_effort: "default" }],
    ["groq:qwen/qwen3.6-32b/none", { reasoning_effort: "none" }],
    ["mistral-small-latest/high", { reasoning_effort: "high" }],
    ["magistral-medium-latest/high", { prompt_mode: "reasoning" }],
    ["qwen3-max/none", { enable_thinking: false }],
    ["qwen3.8-plus/low", { enable_thinking: true, reasoning_effort: "low" }],
    ["vllm:Qwen/Qwen3-8B/none", { chat_template_kwargs: { enable_thinking: false } }],
    ["vllm:deepseek-ai/DeepSeek-V3.1/high", { chat_template_kwargs: { thinking: true } }],
    ["vllm:openai/gpt-oss-20b/low", { reasoning_effort: "low" }],
    ["ollama:qwen3:8b/none", { reasoning_effort: "none" }],
    ["glm-4.7/none", { thinking: { type: "disabled" } }],
    ["kimi-k2.6/none", { thinking: { type: "disabled" } }],
    ["kimi-k3/max", { reasoning_effort: "max" }],
    ["MiniMax-M3/low", { thinking: { type: "adaptive" }, reasoning_split: true }],
  ])("%s is spelled as its vendor does", (ref, fields) => {
    expect(bodyOf(ref)).toMatchObject(fields);
  });

  test("Kimi F-K3 has no thinking field", () => {
    expect(bodyOf("kimi-k3/low")).not.toHaveProperty("thinking");
  });
});

test("R8 targetOf: a model's name may bring its level, and a misspelt level is told", () => {
  expect(targetOf(anthropic, "claude-opus-5-5/MEDIUM")).toMatchObject({
    model: { id: "claude-opus-5-5" },
    level: "med",
  });
  expect(targetOf(anthropic, "acme/claude-9").model.id).toBe("acme/claude-9");
  expect(targetOf(anthropic, "/low").model.id).toBe("/low");
  expect(() => targetOf(anthropic, "claude-opus-5-5/hihg")).toThrow(/level: "hihg"/);
});
