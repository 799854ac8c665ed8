import { resolveModel, type JsonObject, type WireId } from "mull";
import { mirrors } from "mull/wire";
import { describe, expect, test } from "vitest";

import { readDial, withoutDial, type ClientDial } from "./client-dial.ts";

const dialOf = (wire: WireId, body: JsonObject, ref = "gpt-6-sol"): ClientDial => {
  const path = wire === "google-generate" ? "/v1beta/models/m:generateContent" : "";
  return readDial(
    mirrors[wire].decodeRequest({ path, headers: {}, body }),
    wire,
    resolveModel(ref),
  );
};

describe("the dial of every client", () => {
  test.each<[WireId, JsonObject, ClientDial]>([
    [
      "anthropic-messages",
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
      { level: "low" },
    ],
    ["anthropic-messages", { output_config: { effort: "medium" } }, { level: "med" }],
    ["anthropic-messages", { thinking: { type: "adaptive" } }, { level: "high" }],
    ["anthropic-messages", { thinking: { type: "disabled" } }, { level: "none" }],
    [
      "anthropic-messages",
      { thinking: { type: "enabled", budget_tokens: 8192 } },
      { thinkingBudget: 8192 },
    ],
    [
      "openai-responses",
      { reasoning: { effort: "xhigh", context: "all_turns" } },
      { level: "max" },
    ],
    ["openai-responses", { reasoning: { effort: "none" } }, { level: "none" }],
    ["openai-chat", { reasoning_effort: "minimal" }, { level: "min" }],
    ["openai-chat", { reasoning: { max_tokens: 4000 } }, { thinkingBudget: 4000 }],
    [
      "google-generate",
      { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH" } } },
      { level: "high" },
    ],
    [
      "google-generate",
      { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } },
      { level: "auto" },
    ],
    [
      "google-generate",
      { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
      { level: "none" },
    ],
  ])("%s %o", (wire, body, dial) => {
    expect(dialOf(wire, body)).toMatchObject(dial);
  });

  test("nothing said is nothing asked", () => {
    const dial = dialOf("openai-responses", { input: "Hello" });
    expect(dial).not.toHaveProperty("level");
    expect(dial).not.toHaveProperty("thinkingBudget");
  });

  test("a change of effort inside the conversation counts", () => {
    const messages = [
      { role: "user", content: "Hello" },
      { role: "system", content: "Go on.", output_config: { effort: "low" } },
    ];
    const body = { thinking: { type: "adaptive" }, output_config: { effort: "high" }, messages };
    expect(dialOf("anthropic-messages", body)).toMatchObject({ level: "low" });
  });

  test("a budget is fitted to the model that answers", () => {
    const thinking = { type: "enabled", budget_tokens: 1_000_000 };
    const { thinkingBudget = 0 } = dialOf("anthropic-messages", { thinking }, "gemini-2.5-pro");
    expect(thinkingBudget).toBeGreaterThan(1024);
    expect(thinkingBudget).toBeLessThan(100_000);
  });

  test("what says nothing about thinking stays", () => {
    const extra = {
      output_config: { effort: "low", task_budget: 1 },
      thinking: { a: 1 },
      other: 2,
      stream: null,
    };
    expect(withoutDial(extra, "anthropic-messages")).toEqual({
      output_config: { task_budget: 1 },
      other: 2,
    });
  });
});
