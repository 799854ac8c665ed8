import { openai } from "./openai.ts";
import { vendor, type Vendor } from "./vendor.ts";

/** Every resource has its own address: set AZURE_BASE_URL to `https://NAME.openai.azure.com/openai/v1`. */
export const azure: Vendor = /* @__PURE__ */ vendor({
  id: "azure",
  name: "Azure",
  wire: "openai-responses",
  baseUrl: "https://set-azure-base-url.invalid/openai/v1",
  auth: "bearer",
  keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
  assume: (id) => openai.assume(id),
});
