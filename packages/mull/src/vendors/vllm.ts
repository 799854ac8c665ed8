import { localDialect } from "./dialects.ts";
import { budgetedModel } from "./open-models.ts";
import { vendor, type Vendor } from "./vendor.ts";

export const vllm: Vendor = /* @__PURE__ */ vendor({
  id: "vllm",
  name: "vLLM",
  wire: "openai-chat",
  baseUrl: "http://localhost:8000/v1",
  auth: "none",
  dialect: localDialect,
  quirks: {
    budgetField: "thinking_token_budget",
    thinkingFields: ["reasoning", "reasoning_content"],
  },
  assume: budgetedModel,
});
