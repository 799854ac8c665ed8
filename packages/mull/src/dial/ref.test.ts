import { describe, expect, test } from "vitest";

import { parseModelRef } from "./ref.ts";
import { wrong } from "../../../../test/stubs.ts";

describe("model refs", () => {
  test.each([
    ["claude-opus-5-5", { name: "claude-opus-5-5" }],
    ["claude-opus-5-5/high", { name: "claude-opus-5-5", level: "high" }],
    ["gpt-5/off", { name: "gpt-5", level: "none" }],
    ["o3-mini/none", { name: "o3-mini", level: "none" }],
    ["openai-responses:gpt-5", { provider: "openai-responses", name: "gpt-5" }],
    ["openai-chat:gpt-5/low", { provider: "openai-chat", name: "gpt-5", level: "low" }],
    ["OpenAI:gpt-5/MED", { provider: "openai", name: "gpt-5", level: "med" }],
    ["gemini:gemini-3.8-flash", { provider: "gemini", name: "gemini-3.8-flash" }],
    [
      "openrouter:anthropic/claude-opus-5-5/high",
      { provider: "openrouter", name: "anthropic/claude-opus-5-5", level: "high" },
    ],
    [
      "openrouter:anthropic/claude-opus-5-5",
      { provider: "openrouter", name: "anthropic/claude-opus-5-5" },
    ],
    ["ollama:qwen3:8b/low", { provider: "ollama", name: "qwen3:8b", level: "low" }],
    ["qwen3:8b/low", { name: "qwen3:8b", level: "low" }],
    ["groq:openai/gpt-oss-120b", { provider: "groq", name: "openai/gpt-oss-120b" }],
    ["models/gemini-3.8-flash/max", { name: "models/gemini-3.8-flash", level: "max" }],
    [
      "together:deepseek-ai/DeepSeek-V3.1",
      { provider: "together", name: "deepseek-ai/DeepSeek-V3.1" },
    ],
    ["ft:gpt-4o-mini:org::id", { name: "ft:gpt-4o-mini:org::id" }],
  ])("R184 R205 %s", (ref, parsed) => {
    expect(parseModelRef(ref)).toEqual(parsed);
  });

  test("a provider of one's own is known when it is named", () => {
    expect(parseModelRef("acme:wordbox/low")).toEqual({ name: "acme:wordbox", level: "low" });
    expect(parseModelRef("acme:wordbox/low", { providers: ["acme"] })).toEqual({
      provider: "acme",
      name: "wordbox",
      level: "low",
    });
  });

  test.each([
    ["gpt-5/extreme", "extreme"],
    ["openrouter:anthropic/claude-opus-5-5/extreme", "extreme"],
    ["claude-opus-5-5/5", "5"],
    ["gpt-5/", ""],
  ])("R8 %s names the level it does not know, and the ones there are", (ref, word) => {
    expect(() => parseModelRef(ref)).toThrow(
      `Unknown level "${word}". Levels: auto none min low med high max`,
    );
  });

  test("a last segment that may belong to the name stays in it", () => {
    expect(parseModelRef("acme/extreme")).toEqual({ name: "acme/extreme" });
  });

  test.each(["", "  ", "openai:", "/high", wrong(7)])("%j isn't a model ref", (ref) => {
    expect(() => parseModelRef(ref)).toThrow("[provider:]name[/level]");
  });
});
