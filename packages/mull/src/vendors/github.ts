import { openaiChat } from "./openai-chat.ts";
import { vendor, type Vendor } from "./vendor.ts";

export const github: Vendor = /* @__PURE__ */ vendor({
  id: "github",
  name: "GitHub Models",
  wire: "openai-chat",
  baseUrl: "https://models.github.ai/inference",
  auth: "bearer",
  keyVariables: ["GITHUB_TOKEN", "GITHUB_API_KEY"],
  quirks: { omitStore: true },
  assume: (id) => openaiChat.assume(id),
});
