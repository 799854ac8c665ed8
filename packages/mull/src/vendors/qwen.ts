import type { ThinkingTraits } from "../types/model.ts";
import { plainDialect } from "./dialects.ts";
import { alwaysOn, effort, plain, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

const withBudget: ThinkingTraits = {
  kind: "switch",
  off: "switch",
  budget: { min: 1, max: 1_000_000 },
};

export const qwen: Vendor = /* @__PURE__ */ vendor({
  id: "qwen",
  name: "Qwen",
  aliases: ["dashscope", "alibaba"],
  wire: "openai-chat",
  baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
  auth: "bearer",
  keyVariables: ["DASHSCOPE_API_KEY", "QWEN_API_KEY"],
  dialect: plainDialect,
  quirks: {
    knob: "enable_thinking",
    budgetField: "thinking_budget",
    thinkingFields: ["reasoning_content"],
    topK: true,
  },
  traits: { replay: "loop", toolChoice: "not-thinking" },
  rows: () => [
    row("qwen3.8", effort(["low", "medium", "xhigh"], "switch"), { defaultThinking: "on" }),
    row("qwen3.7", withBudget),
    row("qwen3.6", withBudget),
    row("qwen3.5", withBudget),
    row("qwen3-coder", plain, readsText),
    row("qwen3", withBudget),
    row("qwen-max", withBudget, { defaultThinking: "off" }),
    row("qwen-plus", withBudget, { defaultThinking: "off" }),
    row("qwen-flash", withBudget, { defaultThinking: "off" }),
    row("qwen-turbo", withBudget, { defaultThinking: "off" }),
    row("qwq", alwaysOn),
    row("qvq", alwaysOn),
  ],
  // `qwen` alone is their name in a path, not a model.
  assume: (id) =>
    /^(?:qwen|qwq|qvq)./.test(id) ? row(id, withBudget, { assumed: true }) : undefined,
});
