import { describe, expect, test } from "vitest";

import { parseModelRef } from "../dial/ref.ts";
import { vendors } from "../vendors/index.ts";
import { findModel } from "./find-model.ts";

const at = (provider: string, id: string) => findModel(id, { provider });

describe("models by the name of a vendor", () => {
  test.each([
    ["deepseek-v4-pro", "deepseek"],
    ["deepseek-v5", "deepseek"],
    ["grok-4.6", "xai"],
    ["grok-9", "xai"],
    ["glm-5.3", "zai"],
    ["kimi-k3", "moonshot"],
    ["kimi-k2-0905", "moonshot"],
    ["MiniMax-M3", "minimax"],
    ["qwen3.8-max", "qwen"],
    ["mistral-small-latest", "mistral"],
    ["gpt-oss-120b", "groq"],
    ["openai/gpt-oss-20b", "groq"],
    ["llama-3.3-70b-versatile", "groq"],
  ])("R194 %s is served by %s", (id, provider) => {
    expect(findModel(id)).toMatchObject({ id, provider });
  });

  test("replay follows the vendor's rule", () => {
    const replays = ["deepseek-v4-pro", "deepseek-reasoner", "kimi-k3", "glm-4.7", "qwen3-max"];
    expect(replays.map((id) => findModel(id).replay)).toEqual([
      "required",
      "forbidden",
      "required",
      "tool-calls",
      "loop",
    ]);
  });

  test("an unlisted model of a vendor is assumed", () => {
    expect(findModel("glm-9")).toMatchObject({ assumed: true, thinking: { off: "never" } });
  });

  test.each([
    ["anthropic", "claude-saga-9"],
    ["openai", "gpt-9"],
    ["google", "gemini-9"],
    ["deepseek", "deepseek-v9"],
    ["xai", "grok-9"],
    ["zai", "glm-9"],
    ["qwen", "qwen9"],
    ["moonshot", "kimi-k9"],
    ["minimax", "minimax-m9"],
    ["mistral", "mistral-huge"],
    ["groq", "llama-9"],
  ])("D4 %s takes %s for its newest, and says so", (provider, id) => {
    expect(findModel(id)).toMatchObject({ id, provider, assumed: true });
    expect(findModel(id).note).toBeUndefined();
  });

  test.each(vendors.map((vendor) => [vendor.id, vendor] as const))(
    "%s knows nothing of a name that is nobody's",
    (_, vendor) => {
      expect(vendor.assume("wordbox-1")).toBeUndefined();
    },
  );

  test.each(["deepseek-ai/wordbox", "mistralai/wordbox", "Qwen/wordbox"])(
    "what follows the vendor's name in the path %s is a model, not a level",
    (name) => {
      expect(parseModelRef(`together:${name}/high`)).toMatchObject({ name, level: "high" });
      expect(parseModelRef(`together:${name}`)).toMatchObject({ name });
    },
  );
});

describe("hosts of other people's models", () => {
  test("OpenAI's models on Chat Completions lose max, summaries and replay", () => {
    expect(at("openai-chat", "gpt-6-sol-2026-10-01")).toMatchObject({
      id: "gpt-6-sol-2026-10-01",
      provider: "openai-chat",
      wire: "openai-chat",
      thinking: { efforts: ["none", "low", "medium", "high", "xhigh"] },
      shows: "nothing",
      replay: "forbidden",
    });
    expect(at("openai-chat", "gpt-4o")).toMatchObject({ wire: "openai-chat", replay: "sealed" });
    expect(at("openai-chat", "gpt-9")).toMatchObject({ wire: "openai-chat", assumed: true });
  });

  test("R205 openai-responses is another name of openai", () => {
    expect(at("openai-responses", "gpt-5")).toBe(findModel("gpt-5"));
  });

  test("azure and GitHub serve OpenAI's names, and nothing is known of others", () => {
    expect(at("azure", "gpt-5-mini")).toMatchObject({
      provider: "azure",
      wire: "openai-responses",
    });
    expect(at("github", "openai/gpt-5")).toMatchObject({ provider: "github", id: "openai/gpt-5" });
    expect(at("azure", "my-deployment")).toMatchObject({
      provider: "azure",
      wire: "openai-responses",
      assumed: true,
    });
  });

  test("OpenRouter has one set of words for everybody", () => {
    expect(at("openrouter", "anthropic/claude-haiku-4.5")).toMatchObject({
      id: "anthropic/claude-haiku-4.5",
      provider: "openrouter",
      wire: "openai-chat",
      thinking: { kind: "effort", off: "effort-none" },
      toolChoice: "free",
      replay: "sealed",
    });
    expect(at("openrouter", "anthropic/claude-opus-5.5").thinking).toMatchObject({ off: "never" });
    expect(at("openrouter", "anthropic/claude-opus-4.6").thinking).toMatchObject({
      budget: { min: 1024 },
    });
    expect(at("openrouter", "google/gemini-3.8-flash").thinking).not.toHaveProperty("budget");
    expect(at("openrouter", "openai/gpt-4.1").thinking).toEqual({ kind: "none" });
    expect(at("openrouter", "ibm-granite/granite-4.0").thinking).toMatchObject({ kind: "switch" });
    expect(at("openrouter", "acme/wordbox")).toMatchObject({
      assumed: true,
      provider: "openrouter",
    });
    expect(at("openrouter", "openai/gpt-5").price).toBeUndefined();
  });

  test("local servers know open models by name", () => {
    expect(at("vllm", "Qwen/Qwen3-8B").thinking).toMatchObject({ kind: "switch", off: "switch" });
    expect(at("vllm", "Qwen/Qwen3-4B-Thinking-2507").thinking).toMatchObject({ off: "never" });
    expect(at("vllm", "Qwen/Qwen3-Coder-480B").thinking).toEqual({ kind: "none" });
    expect(at("vllm", "openai/gpt-oss-20b").quirks).toEqual({ knob: "reasoning_effort" });
    expect(at("sglang", "deepseek-ai/DeepSeek-V3.2").quirks).toEqual({ templateKey: "thinking" });
    expect(at("llamacpp", "Qwen3-1.7B-Q4_K_M").thinking).toMatchObject({ kind: "switch" });
    expect(at("together", "deepseek-ai/DeepSeek-R1").thinking).toMatchObject({ off: "never" });
  });

  test("Ollama spells every dial as effort", () => {
    expect(at("ollama", "qwen3:8b").thinking).toMatchObject({ off: "effort-none" });
    expect(at("ollama", "deepseek-r1:latest").thinking).toMatchObject({
      efforts: ["low", "medium", "high"],
      off: "never",
    });
    expect(at("ollama", "gpt-oss:120b").thinking).toMatchObject({ kind: "effort", off: "never" });
    expect(at("ollama", "llama3.2:latest")).toMatchObject({ assumed: true, provider: "ollama" });
  });
});
