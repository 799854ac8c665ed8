import { plainDialect } from "./dialects.ts";
import { openModel } from "./open-models.ts";
import { vendor, type Vendor } from "./vendor.ts";

export const together: Vendor = /* @__PURE__ */ vendor({
  id: "together",
  name: "Together",
  wire: "openai-chat",
  baseUrl: "https://api.together.xyz/v1",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    knob: "reasoning-object",
    thinkingFields: ["reasoning", "reasoning_content"],
    thinkTags: [["<think>", "</think>"]],
    topK: true,
  },
  assume: openModel,
});
