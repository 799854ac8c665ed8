import type { Effort, ThinkingTraits } from "../types/model.ts";
import { plainDialect } from "./dialects.ts";
import { makers } from "./makers.ts";
import { openModel } from "./open-models.ts";
import { lowToHigh } from "./traits.ts";
import { vendor, type ModelRow, type Vendor } from "./vendor.ts";

/** A gateway has one set of words for everybody's models. */
const words: readonly Effort[] = ["minimal", ...lowToHigh, "xhigh"];

const inItsWords = (thinking: ThinkingTraits): ThinkingTraits => {
  if (thinking.kind === "none") return thinking;
  const range =
    thinking.kind === "budget" ? thinking : "budget" in thinking ? thinking.budget : undefined;
  const budget = range && { budget: { min: range.min, max: range.max } };
  return thinking.off === "never"
    ? { kind: "effort", efforts: words, off: "never", ...budget }
    : { kind: "effort", efforts: ["none", ...words], off: "effort-none", ...budget };
};

const servedHere = (id: string): ModelRow | undefined => {
  const maker = makers.find((each) => each.assume(id) !== undefined);
  const model = maker?.assume(id);
  if (model === undefined) return openModel(id);
  const { price: _price, map: _map, quirks: _quirks, ...kept } = model;
  return {
    ...kept,
    thinking: inItsWords(model.thinking),
    // Claude has its limit everywhere; the others' are their own servers'.
    toolChoice:
      model.provider === "anthropic" && model.toolChoice === "auto-only" ? "auto-only" : "free",
    replay: "sealed",
    seals: { reads: [], endpointBound: true },
    effortUpdates: false,
    cacheDiagnosis: false,
    serviceCompacts: false,
  };
};

export const openrouter: Vendor = /* @__PURE__ */ vendor({
  id: "openrouter",
  name: "OpenRouter",
  wire: "openai-chat",
  baseUrl: "https://openrouter.ai/api/v1",
  auth: "bearer",
  dialect: plainDialect,
  quirks: {
    knob: "reasoning-object",
    thinkingFields: ["reasoning", "reasoning_content"],
    topK: true,
    fileUrls: true,
  },
  assume: servedHere,
});
