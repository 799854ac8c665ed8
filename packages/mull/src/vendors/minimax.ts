import { plainDialect } from "./dialects.ts";
import { alwaysOn, onOff, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

/** M2 takes `disabled` and thinks anyway. */
export const minimax: Vendor = /* @__PURE__ */ vendor({
  id: "minimax",
  name: "MiniMax",
  wire: "openai-chat",
  baseUrl: "https://api.minimax.io/v1",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    knob: "thinking-type",
    knobOn: "adaptive",
    body: { reasoning_split: true },
    thinkingFields: ["reasoning_content", "reasoning"],
    thinkTags: [
      ["<think>", "</think>"],
      ["<mm:think>", "</mm:think>"],
    ],
  },
  traits: { defaultThinking: "on", replay: "required" },
  rows: () => [
    row("minimax-m3", onOff),
    row("minimax-m2.7", alwaysOn, readsText),
    row("minimax-m2.5", alwaysOn, readsText),
    row("minimax-m2.1", alwaysOn, readsText),
    row("minimax-m2", alwaysOn, readsText),
  ],
  assume: (id) => (id.startsWith("minimax-") ? row(id, onOff, { assumed: true }) : undefined),
});
