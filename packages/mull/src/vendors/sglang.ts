import { localDialect } from "./dialects.ts";
import { openModel } from "./open-models.ts";
import { vendor, type Vendor } from "./vendor.ts";

export const sglang: Vendor = /* @__PURE__ */ vendor({
  id: "sglang",
  name: "SGLang",
  wire: "openai-chat",
  baseUrl: "http://localhost:30000/v1",
  auth: "none",
  dialect: localDialect,
  quirks: { thinkingFields: ["reasoning_content"] },
  assume: openModel,
});
