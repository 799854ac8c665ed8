import { plainDialect } from "./dialects.ts";
import { alwaysOn, effort, lowHighMax, onOff, plain, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

const retired = {
  ...readsText,
  status: "retired",
  endOfLife: "2026-07-24",
  successor: "deepseek-v4-flash",
} as const;

/** Leaving the knob out means on; `medium` is mapped differently by everybody, so it is not offered. */
export const deepseek: Vendor = /* @__PURE__ */ vendor({
  id: "deepseek",
  name: "DeepSeek",
  wire: "openai-chat",
  baseUrl: "https://api.deepseek.com",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    knob: "thinking-type+effort",
    thinkingFields: ["reasoning_content"],
    jsonObjectOnly: true,
  },
  traits: {
    defaultThinking: "high",
    replay: "required",
    sampling: "ignored",
    toolChoice: "not-thinking",
  },
  rows: () => [
    row("deepseek-v4-pro", effort(["high", "max"], "switch"), readsText),
    row("deepseek-v4-flash", effort(lowHighMax, "switch")),
    row("deepseek-flash", effort(lowHighMax, "switch")),
    row("deepseek-v3.2", onOff, {
      ...readsText,
      defaultThinking: "off",
      replay: "loop",
      sampling: "free",
    }),
    row("deepseek-r1", alwaysOn, { ...readsText, defaultThinking: "on", replay: "forbidden" }),
    row("deepseek-reasoner", alwaysOn, {
      ...retired,
      defaultThinking: "on",
      replay: "forbidden",
    }),
    row("deepseek-chat", plain, {
      ...retired,
      defaultThinking: "off",
      sampling: "free",
      replay: "optional",
    }),
  ],
  // `deepseek-ai` is their name in a path, not a model.
  assume: (id) =>
    /^deepseek-(?!ai$)/.test(id)
      ? row(id, effort(lowHighMax, "switch"), { assumed: true })
      : undefined,
});
