import { plainDialect } from "./dialects.ts";
import { alwaysOn, effort, lowHighMax, lowToHigh, plain, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

const noneOrHigh = effort(["none", "high"], "effort-none");
const magistral = { defaultThinking: "on", quirks: { knob: "prompt_mode" } } as const;

export const mistral: Vendor = /* @__PURE__ */ vendor({
  id: "mistral",
  name: "Mistral",
  wire: "openai-chat",
  baseUrl: "https://api.mistral.ai/v1",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    knob: "reasoning_effort",
    omitStreamUsage: true,
    thinkingFields: ["reasoning_content"],
    callId: { maxLength: 9, pattern: "^[a-zA-Z0-9]{9}$" },
  },
  traits: {
    defaultThinking: "none",
    files: { images: true, pdf: true },
    systemMessages: false,
  },
  rows: () => [
    row("mistral-large-4", effort(lowToHigh, "never"), { defaultThinking: "medium" }),
    row("mistral-large", noneOrHigh),
    row("mistral-medium", noneOrHigh),
    row("mistral-small", noneOrHigh),
    row("glm-5.3", effort(lowHighMax, "never"), { ...readsText, defaultThinking: "max" }),
    row("magistral-medium", alwaysOn, magistral),
    row("magistral-small", alwaysOn, magistral),
    row("ministral-3b", plain),
    row("ministral-8b", plain),
    row("codestral", plain, readsText),
    row("pixtral", plain),
  ],
  // `mistralai` is their name in a path, not a model.
  assume: (id) =>
    /^(?:mistral|ministral|magistral|codestral|devstral|pixtral)(?!ai$)/.test(id)
      ? row(id, noneOrHigh, { assumed: true })
      : undefined,
});
