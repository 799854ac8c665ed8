import type { Model } from "../../../types/model.ts";

/** A documented stand-in for a required signature that is missing. The Gemini API and Vertex take it. */
export const skipSignature = "skip_thought_signature_validator";

/** The generation of a Gemini model: 3.8 for gemini-3.8-flash. Names without a number count as the newest. */
export function geminiGeneration(model: Model): number {
  if (!isGemini(model)) return 0;
  const digits = /^\d+(?:\.\d+)?/.exec(model.generation ?? model.id.slice("gemini-".length))?.[0];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

/** Whether the first call of each step of the current turn needs a signature; image models do not. */
export const requiresSignatures = (model: Model): boolean =>
  geminiGeneration(model) >= 3 && !model.id.includes("-image");

export const isGemini = (model: Model): boolean => model.id.startsWith("gemini-");
