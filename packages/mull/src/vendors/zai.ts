import { plainDialect } from "./dialects.ts";
import { effort, lowHighMax, onOff, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

export const zai: Vendor = /* @__PURE__ */ vendor({
  id: "zai",
  name: "Z.ai",
  aliases: ["glm"],
  wire: "openai-chat",
  baseUrl: "https://api.z.ai/api/paas/v4",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    knob: "thinking-type+effort",
    thinkingFields: ["reasoning_content"],
    jsonObjectOnly: true,
  },
  traits: { defaultThinking: "on", replay: "tool-calls", toolChoice: "auto-only" },
  rows: () => [
    row("glm-5.3", effort(lowHighMax, "never"), readsText),
    row("glm-5.3-flash", effort(lowHighMax, "never")),
    row("glm-5.3-flashx", effort(lowHighMax, "never")),
    row("glm-5.2", effort(["high", "max"], "switch"), readsText),
    row("glm-5.1", onOff, readsText),
    row("glm-5", onOff, readsText),
    row("glm-4.7", onOff, readsText),
    row("glm-4.6", onOff, readsText),
    row("glm-4.5", onOff, readsText),
  ],
  assume: (id) =>
    id.startsWith("glm-") ? row(id, effort(lowHighMax, "never"), { assumed: true }) : undefined,
});
