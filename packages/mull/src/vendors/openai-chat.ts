import { onWire } from "./on-wire.ts";
import { openai } from "./openai.ts";
import { vendor, type Vendor } from "./vendor.ts";

const wire = "openai-chat";

/** OpenAI on Chat Completions: no summaries, no reasoning carried over. */
export const openaiChat: Vendor = /* @__PURE__ */ vendor({
  id: "openai-chat",
  name: "OpenAI",
  wire,
  baseUrl: "https://api.openai.com/v1",
  auth: "bearer",
  keyVariables: ["OPENAI_API_KEY"],
  baseUrlVariable: "OPENAI_BASE_URL",
  rows: () => openai.models.map((model) => onWire(model, wire)),
  assume: (id) => {
    const model = openai.assume(id);
    return model && onWire(model, wire);
  },
});
