import { describe, expect, test } from "vitest";

import { findModel } from "../catalogue/find-model.ts";
import type { Level } from "../types/level.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import type { PlanAsk } from "./plan.ts";
import { planThinking } from "./plan.ts";
import { solveThinking } from "./solve.ts";

const plan = (model: string, level: Level, ask: Partial<PlanAsk> = {}): ThinkingPlan =>
  planThinking({ model, level, ...ask });
const codes = ({ notes }: ThinkingPlan): readonly string[] => notes.map((note) => note.code);

describe("what is sent", () => {
  test("R184 a ref names the provider and the level; a level beside it wins", () => {
    const chat = { wire: "openai-chat", model: "gpt-5" };
    expect(planThinking({ model: "openai-chat:gpt-5/low" })).toMatchObject({
      ...chat,
      asked: "low",
    });
    expect(plan("openai-chat:gpt-5/low", "high")).toMatchObject({ ...chat, asked: "high" });
  });

  test("D1 R77 auto sends nothing on any model", () => {
    for (const model of ["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash", "deepseek-v4-pro"]) {
      expect(plan(model, "auto").setting).toEqual({ type: "default" });
    }
    expect(planThinking({ model: "gpt-6-sol" })).toMatchObject({ asked: "auto", applied: "auto" });
    expect(solveThinking(findModel("gpt-6-sol"), {}).asked).toBe("auto");
  });

  test.each([
    ["claude-sonnet-4-5", "omit"],
    ["claude-opus-4-6", "omit"],
    ["claude-opus-4-8", "disabled"],
    ["claude-opus-5", "disabled"],
    ["claude-sonnet-5-5", "between_tools"],
    ["gpt-6-sol", "effort-none"],
    ["gemini-2.5-flash", "budget-zero"],
    ["gemini-2.5-flash-lite", "budget-zero"],
    ["deepseek-v4-pro", "switch"],
  ])("D2 D3 R63 none turns %s off by %s", (model, form) => {
    expect(plan(model, "none")).toMatchObject({ setting: { type: "off", form }, applied: "none" });
  });

  test.each([
    ["gemini-2.5-pro", { type: "budget", tokens: 128 }, "min"],
    ["gemini-3.8-flash", { type: "level", level: "LOW" }, "low"],
    ["gemini-3.6-flash", { type: "level", level: "MINIMAL" }, "min"],
    ["claude-opus-5-5", { type: "effort", effort: "low" }, "low"],
    ["gpt-5", { type: "effort", effort: "minimal" }, "min"],
    ["o3", { type: "effort", effort: "low" }, "low"],
    ["o3-mini", { type: "effort", effort: "medium" }, "med"],
    ["gpt-6.1-sol", { type: "effort", effort: "low" }, "low"],
    ["gpt-5-pro", { type: "effort", effort: "high" }, "high"],
    ["kimi-k2.7", { type: "on" }, "min"],
  ])("D1 P-B5 P-B13 %s cannot be off: its smallest step goes out", (model, setting, applied) => {
    const result = plan(model, "none");
    expect(result).toMatchObject({ setting, applied, asked: "none" });
    expect(codes(result)).toContain("cannot-disable");
  });

  test("D5 P-B3 what a model lacks is rounded, and noted", () => {
    expect(codes(plan("claude-opus-5-5", "min"))).toEqual(["rounded-up"]);
    expect(codes(plan("gemini-3.8-flash", "min"))).toEqual(["rounded-up"]);
    expect(codes(plan("deepseek-v4-flash", "med"))).toEqual(["rounded-down"]);
    expect(codes(plan("gemma-4-31b-it", "med"))).toEqual(["rounded-up"]);
    expect(codes(plan("gemma-4-31b-it", "low"))).toEqual(["rounded-down"]);
  });

  test("D5 high and max that are the same are called so", () => {
    for (const model of ["gemini-3.8-flash", "claude-haiku-4-5", "gpt-5.6-luna"]) {
      const result = plan(model, "max", { wire: findModel(model).wire });
      expect(codes(result).includes("collapsed")).toBe(model !== "gpt-5.6-luna");
    }
    expect(plan("gpt-5.5", "max").setting).toEqual({ type: "effort", effort: "xhigh" });
    expect(codes(plan("gpt-5.5", "max"))).toEqual([]);
    expect(plan("gpt-5.5", "max").applied).toBe("max");
  });

  test("models with a switch say that levels are one", () => {
    expect(codes(plan("glm-4.7", "high"))).toEqual(["on-off-only"]);
    expect(plan("glm-4.7", "high")).toMatchObject({ setting: { type: "on" }, applied: "high" });
  });

  test("Sonnet 5.5 is off with a warning", () => {
    expect(codes(plan("claude-sonnet-5-5", "none"))).toEqual(["between-tools"]);
  });

  test("R10 D7 a level on a model that does not think is dropped with a note", () => {
    const result = plan("gpt-4.1", "high");
    expect(result).toMatchObject({ setting: { type: "default" }, applied: "none" });
    expect(codes(result)).toContain("not-thinking");
    expect(codes(plan("gpt-4.1", "none"))).not.toContain("not-thinking");
    expect(plan("gpt-4.1", "auto").applied).toBe("auto");
  });

  test("R9 a bad level is refused before anything is sent", () => {
    expect(() => plan("gpt-5", "extreme" as Level)).toThrow("auto none min low med high max");
  });
});

describe("Chat Completions", () => {
  const chat = { wire: "openai-chat" } as const;

  test("the top is xhigh, and nothing is shown", () => {
    expect(plan("gpt-6-sol", "max", chat)).toMatchObject({
      wire: "openai-chat",
      setting: { type: "effort", effort: "xhigh" },
      show: false,
      visible: "nothing",
    });
    expect(codes(plan("gpt-6-sol", "max", chat))).toEqual(["summary-hidden"]);
  });

  test("tools beside an effort are refused from gpt-5.2 on: thinking goes off", () => {
    const tools = { ...chat, hasTools: true };
    for (const model of ["gpt-5.2", "gpt-5.4", "gpt-5.6-sol", "gpt-6-sol"]) {
      const result = plan(model, "high", tools);
      expect(result.setting).toEqual({ type: "off", form: "effort-none" });
      expect(codes(result)).toContain("chat-tools-effort");
    }
    expect(plan("gpt-5.1", "high", tools).setting).toEqual({ type: "effort", effort: "high" });
    expect(plan("gpt-6-sol", "high", { hasTools: true }).setting.type).toBe("effort");
    expect(codes(plan("gpt-6-sol", "none", tools))).not.toContain("chat-tools-effort");
  });

  test("tools without a word about thinking pass up to gpt-5.5", () => {
    const tools = { ...chat, hasTools: true };
    expect(plan("gpt-5.4", "auto", tools).setting).toEqual({ type: "default" });
    expect(plan("gpt-5.6-sol", "auto", tools).setting.type).toBe("off");
  });

  test("a model that is never off takes no tools there", () => {
    const result = plan("gpt-6-astra", "low", { ...chat, hasTools: true });
    expect(result.setting).toEqual({ type: "default" });
    expect(codes(result)).toContain("chat-tools-effort");
  });
});

describe("what the model is", () => {
  test.each([
    ["claude-sonnet-4-5", "deprecated", "2026-11-30"],
    ["o3-mini", "retired", "gpt-6-luna"],
    ["gemini-3.0-flash", "never-served", "gemini-3.8-flash"],
    ["gemini-3.5-flash", "rerouted", "gemini-3.6-flash"],
    ["claude-saga-9", "assumed-model", "claude-saga-9"],
    ["wordbox-1", "assumed-model", "no family"],
  ])("D4 D5 %s: %s", (model, code, text) => {
    const note = plan(model, "auto").notes.find((each) => each.code === code);
    expect(note?.message).toContain(text);
  });

  test("a row without end and successor is described without them", () => {
    const row = { ...findModel("gpt-6-sol") };
    expect(planThinking({ model: { ...row, status: "deprecated" } }).notes[0]?.message).toMatch(
      `${row.id} is being shut down`,
    );
    expect(planThinking({ model: { ...row, status: "retired" } }).notes[0]?.message).toBe(
      "OpenAI has shut gpt-6-sol down.",
    );
    expect(planThinking({ model: { ...row, status: "rerouted" } }).notes[0]?.message).toBe(
      "OpenAI answers gpt-6-sol with another.",
    );
  });
});

describe("what is shown", () => {
  test("D15 summaries are asked for unless told otherwise", () => {
    expect(plan("gpt-6-sol", "low")).toMatchObject({ show: "auto", visible: "summary" });
    expect(plan("gpt-6-sol", "low", { showThinking: true }).show).toBe("auto");
    expect(plan("gpt-6-sol", "low", { showThinking: "detailed" }).show).toBe("detailed");
    expect(plan("gpt-6-sol", "low", { showThinking: false })).toMatchObject({
      show: false,
      visible: "nothing",
      visibleReason: "not asked for",
    });
  });

  test("D15 R213 brief is concise, and auto where a model has no concise", () => {
    expect(plan("gpt-6-sol", "low", { showThinking: "brief" }).show).toBe("concise");
    const old = plan("gpt-5", "low", { showThinking: "brief" });
    expect(old.show).toBe("auto");
    expect(codes(old)).toContain("summary-style");
    expect(plan("o3", "low", { showThinking: "concise" }).show).toBe("auto");
  });

  test("D15 nothing is asked for while thinking is off", () => {
    for (const model of ["gemini-2.5-flash", "gpt-6-sol", "claude-opus-5"]) {
      expect(plan(model, "none")).toMatchObject({ show: false, visibleReason: "thinking is off" });
    }
    expect(plan("gpt-4o", "auto").visibleReason).toBe("this model does not think");
    expect(plan("claude-sonnet-5-5", "none")).toMatchObject({ show: "auto", visible: "summary" });
  });

  test("D1 at auto the reason is that nothing was said", () => {
    expect(plan("claude-opus-5-5", "auto").visibleReason).toContain("auto sends nothing");
    expect(plan("claude-opus-4-8", "auto").visibleReason).toBe("thinking is off unless asked for");
    expect(plan("gpt-5.2", "auto").visibleReason).toBe("thinking is off unless asked for");
    expect(plan("deepseek-v4-pro", "auto")).toMatchObject({ show: "auto", visible: "full" });
    expect(plan("gpt-6-sol", "auto", { showThinking: "detailed" })).toMatchObject({
      show: "detailed",
      visible: "summary",
    });
  });

  test("a model that never shows it says so", () => {
    expect(codes(plan("gpt-5.3-codex-spark", "low"))).toContain("summary-hidden");
    const silent = { ...findModel("glm-4.7"), shows: "nothing" as const };
    expect(planThinking({ model: silent, level: "low" }).visibleReason).toBe(
      "the service does not show it",
    );
  });

  test("an unknown style is refused", () => {
    expect(() => plan("gpt-6-sol", "low", { showThinking: "loud" as "auto" })).toThrow(
      "showThinking",
    );
  });
});
