import { describe, expect, test } from "vitest";

import type { PlanAsk } from "./plan.ts";
import { planThinking } from "./plan.ts";
import { describeLevel, describePlan, describeRoom, describeSending } from "./describe.ts";
import { parseModelRef } from "./ref.ts";

const plan = (ref: string, ask: Partial<PlanAsk> = {}) => {
  const { name, level } = parseModelRef(ref);
  return planThinking({ model: name, ...(level !== undefined && { level }), ...ask });
};
const lines = (ref: string, ask: Partial<PlanAsk> = {}): readonly string[] =>
  describePlan(plan(ref, ask));

describe("what /model prints", () => {
  test("R13 R30 R184 R185 R186 R194 a budget model", () => {
    expect(lines("claude-sonnet-4-5/med")).toEqual([
      "✓ Switched to Anthropic claude-sonnet-4-5",
      "  Thinking: medium (43,008 tokens)",
    ]);
  });

  test("auto on Chat Completions with tools is off, and says why", () => {
    const ask = { wire: "openai-chat", hasTools: true } as const;
    expect(lines("gpt-6-sol", ask)[1]).toBe(
      "  Thinking: off (this API takes tools only without thinking)",
    );
    const told = describePlan(plan("gpt-6-sol", ask), { notes: true }).join(" ");
    expect(told).toContain("Even at auto, gpt-6-sol takes tools on Chat Completions only with");
    expect(lines("gpt-6-sol/none", ask)[1]).toBe("  Thinking: off");
  });

  test("R187 gemini-2.5-pro at high", () => {
    expect(lines("gemini-2.5-pro/high")).toEqual([
      "✓ Switched to Google gemini-2.5-pro",
      "  Thinking: high (32,768 tokens)",
    ]);
  });

  test("R188 R193 a level model that cannot be off", () => {
    expect(lines("gemini-3-pro/none")).toEqual([
      "✓ Switched to Google gemini-3-pro",
      "  ⚠ This model does not support disabling thinking",
      "  Thinking: LOW level (minimum)",
    ]);
  });

  test("R189 R190 R191 an effort model of OpenAI", () => {
    expect(lines("o3/med")).toEqual([
      "✓ Switched to OpenAI o3 (Responses API)",
      "  Thinking: medium effort (~50% of output budget)",
      "  Recommended output buffer: 25,000 tokens",
    ]);
  });

  test("R192 R193 an effort model that cannot be off", () => {
    expect(lines("o3-mini/none")).toEqual([
      "✓ Switched to OpenAI o3-mini",
      "  ⚠ This model does not support disabling thinking",
      "  Thinking: medium effort (default)",
    ]);
  });

  test.each([
    ["gpt-5/low", "  Thinking: low effort (~20% of output budget)"],
    ["gpt-5/high", "  Thinking: high effort (~80% of output budget)"],
    ["gpt-5/min", "  Thinking: minimal effort"],
    ["gpt-6-sol/none", "  Thinking: off"],
    ["claude-opus-5-5/med", "  Thinking: medium effort"],
    ["claude-opus-5-5", "  Thinking: auto (provider default)"],
    ["claude-sonnet-4-5/none", "  Thinking: off"],
    ["gemini-3.8-flash/med", "  Thinking: MEDIUM level"],
    ["gpt-4o/high", "  Thinking: not supported by this model"],
    ["glm-4.7/low", "  Thinking: on"],
  ])("D22 %s", (ref, line) => {
    expect(lines(ref)[1]).toBe(line);
  });

  test.each([
    ["gemini-2.5-pro/none", "  Thinking: 128 tokens (minimum)"],
    ["claude-opus-5-5/none", "  Thinking: low effort (minimum)"],
    ["kimi-k2.7/none", "  Thinking: on (minimum)"],
  ])("R193 %s warns first", (ref, line) => {
    expect(lines(ref).slice(1)).toEqual([
      "  ⚠ This model does not support disabling thinking",
      line,
    ]);
  });

  test("D6 what the answer's room takes away is said", () => {
    expect(lines("claude-sonnet-4-5/high")).toEqual([
      "✓ Switched to Anthropic claude-sonnet-4-5",
      "  Thinking: high (64,000 tokens)",
      "  Sent: 55,808 tokens",
    ]);
  });

  test("R389 a budget of one's own", () => {
    expect(lines("claude-sonnet-4-5/med", { thinkingBudget: 50_000 })[1]).toBe(
      "  Thinking: custom (50,000 tokens)",
    );
    expect(lines("claude-opus-4-6/med", { thinkingBudget: 50_000 })[1]).toBe(
      "  Thinking: custom (50,000 tokens)",
    );
  });

  test("a budget that no table names is told by its number", () => {
    const budget = plan("claude-sonnet-4-5/med");
    expect(describePlan({ ...budget, mapped: { kind: "none" } })[1]).toBe(
      "  Thinking: medium (43,008 tokens)",
    );
  });

  test("notes follow after an empty line when they are wanted", () => {
    expect(describePlan(plan("gemini-3-pro/high"), { notes: true }).slice(2)).toEqual([
      "",
      "  Google never served gemini-3-pro; its successor is gemini-3.1-pro-preview.",
    ]);
    expect(describePlan(plan("claude-opus-5-5/high"), { notes: true })).toHaveLength(2);
  });

  test("P-A12 a tool choice that is not taken is said before anything is sent", () => {
    const forced = plan("qwen3.7-max/high", { toolChoice: { tool: "search" } });
    expect(describePlan(forced, { notes: true }).at(-1)).toBe(
      "  qwen3.7-max takes no forced tool choice while it thinks: the model chooses.",
    );
    const named = plan("kimi-k3", { toolChoice: { tool: "search" } });
    expect(describePlan(named, { notes: true }).at(-1)).toBe(
      "  kimi-k3 cannot be made to call search while it thinks: it must call a tool, and chooses which.",
    );
    expect(plan("qwen3.7-max/high", { toolChoice: "none" }).notes).toEqual(
      plan("qwen3.7-max/high").notes,
    );
  });

  test("a plan nobody switched to says whom it would go to", () => {
    expect(describePlan(plan("gpt-6-sol/none"), { switched: false })).toEqual([
      "To OpenAI gpt-6-sol",
      "  Thinking: off",
    ]);
  });

  test("a provider without a name is called by its id", () => {
    expect(lines("wordbox-1")[0]).toBe("✓ Switched to unknown wordbox-1");
  });
});

describe("pieces of other screens", () => {
  test.each([
    ["claude-opus-5-5/med", "sends effort medium · summary · answer 8,192 tokens"],
    ["claude-opus-5-5", "sends no thinking field · not shown · answer 8,192 tokens"],
    ["gemini-3.8-flash/high", "sends level HIGH · summary"],
    ["claude-sonnet-4-5/med", "sends budget 43,008 · summary · answer 8,192 tokens"],
    ["claude-sonnet-4-5/none", "sends thinking off · answer 8,192 tokens"],
    ["glm-4.7/high", "sends thinking on · full"],
    ["gpt-4o/high", "sends no thinking field"],
  ])("%s on one line", (ref, line) => {
    expect(describeSending(plan(ref))).toBe(line);
  });

  test("a stop of the dial says where it leads", () => {
    expect(describeLevel(plan("claude-opus-5-5/none"))).toBe("none → low");
    expect(describeLevel(plan("claude-opus-5-5/low"))).toBe("low");
  });

  test("the room on one line", () => {
    expect(describeRoom(plan("claude-opus-5-5/low"))).toBe(
      "answer 8,192 · thinking 8,192 more, one cap of 16,384",
    );
    expect(describeRoom(plan("claude-sonnet-4-5/none"))).toBe("answer 8,192");
    expect(describeRoom(plan("gpt-5/low"))).toBe("no cap is sent");
  });
});
