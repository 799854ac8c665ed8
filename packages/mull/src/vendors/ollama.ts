import { localDialect } from "./dialects.ts";
import { openModel } from "./open-models.ts";
import { effort, lowToHigh } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

export const ollama: Vendor = /* @__PURE__ */ vendor({
  id: "ollama",
  name: "Ollama",
  wire: "openai-chat",
  baseUrl: "http://localhost:11434/v1",
  auth: "none",
  dialect: localDialect,
  quirks: {
    knob: "reasoning_effort",
    thinkingFields: ["reasoning", "reasoning_content"],
    topK: false,
  },
  // Every dial is spelled as an effort word here.
  assume: (id) => {
    const model = openModel(id);
    if (model?.thinking.kind !== "switch") return model;
    return model.thinking.off === "never"
      ? row(id, effort(lowToHigh, "never"))
      : row(id, effort(["none", ...lowToHigh], "effort-none"));
  },
});
