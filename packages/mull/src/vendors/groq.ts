import { plainDialect } from "./dialects.ts";
import { alwaysOn, effort, lowToHigh, plain, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

const gptOss = { ...readsText, defaultThinking: "medium" };

/** Open models under Groq's names. Qwen 3.6 knows `none` and `default` only. */
export const groq: Vendor = /* @__PURE__ */ vendor({
  id: "groq",
  name: "Groq",
  wire: "openai-chat",
  baseUrl: "https://api.groq.com/openai/v1",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    capField: "max_completion_tokens",
    knob: "reasoning_effort",
    knobOn: "default",
    shownBody: { reasoning_format: "parsed" },
    hiddenBody: { reasoning_format: "hidden" },
    thinkingFields: ["reasoning"],
  },
  rows: () => [
    row("gpt-oss-120b", effort(lowToHigh, "never"), gptOss),
    row("gpt-oss-20b", effort(lowToHigh, "never"), gptOss),
    row("qwen3.8", effort(["none", ...lowToHigh], "effort-none")),
    row("qwen3.6", { kind: "switch", off: "effort-none" }),
    row("deepseek-r1", alwaysOn, { ...readsText, quirks: { knob: "none" } }),
  ],
  assume: (id) => (/^(?:llama|gpt-oss)/.test(id) ? row(id, plain, { assumed: true }) : undefined),
});
