import { localDialect } from "./dialects.ts";
import { budgetedModel } from "./open-models.ts";
import { vendor, type Vendor } from "./vendor.ts";

export const llamacpp: Vendor = /* @__PURE__ */ vendor({
  id: "llamacpp",
  name: "llama.cpp",
  aliases: ["llama.cpp"],
  wire: "openai-chat",
  baseUrl: "http://localhost:8080/v1",
  auth: "none",
  dialect: localDialect,
  quirks: {
    budgetField: "thinking_budget_tokens",
    thinkingFields: ["reasoning_content"],
  },
  assume: budgetedModel,
});
