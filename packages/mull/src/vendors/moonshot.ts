import { plainDialect } from "./dialects.ts";
import { alwaysOn, effort, lowHighMax, onOff, plain, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

const k2 = { toolChoice: "not-thinking", quirks: { knob: "none" } } as const;
const switchable = { ...k2, quirks: { knob: "thinking-type" } } as const;

/** K3 has its own word for the dial and no `thinking` field. */
export const moonshot: Vendor = /* @__PURE__ */ vendor({
  id: "moonshot",
  name: "Moonshot",
  aliases: ["kimi"],
  wire: "openai-chat",
  baseUrl: "https://api.moonshot.ai/v1",
  auth: "bearer",
  dialect: plainDialect,
  quirks: { knob: "thinking-type", thinkingFields: ["reasoning_content"] },
  traits: {
    defaultThinking: "on",
    sampling: "never",
    replay: "required",
    toolChoice: "not-named",
    quirks: { knob: "reasoning_effort" },
  },
  rows: () => [
    row("kimi-k3", effort(lowHighMax, "never"), { defaultThinking: "max" }),
    row("kimi-k2.7", alwaysOn, k2),
    row("kimi-k2.6", onOff, switchable),
    row("kimi-k2.5", onOff, switchable),
    row("kimi-k2-thinking", alwaysOn, { ...k2, ...readsText }),
    row("kimi-k2", plain, {
      ...readsText,
      defaultThinking: "off",
      sampling: "free",
      replay: "optional",
    }),
  ],
  assume: (id) =>
    /^(?:kimi|moonshot)-/.test(id)
      ? row(id, effort(lowHighMax, "never"), { assumed: true })
      : undefined,
});
