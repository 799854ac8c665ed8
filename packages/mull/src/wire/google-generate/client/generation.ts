import type { Model } from "../../../types/model.ts";

/** Put where a signature is required and none is at hand. Documented; Gemini API and Vertex take it. */
export const skipSignature = "skip_thought_signature_validator";

/** `3.8` of gemini-3.8-flash. Aliases and names without a number follow the newest rules. */
export function geminiGeneration(model: Model): number {
  if (!isGemini(model)) return 0;
  const digits = /^\d+(?:\.\d+)?/.exec(model.generation ?? model.id.slice("gemini-".length))?.[0];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

/** The first call of each step of the current turn must carry a signature; image models are exempt. */
export const requiresSignatures = (model: Model): boolean =>
  geminiGeneration(model) >= 3 && !model.id.includes("-image");

export const isGemini = (model: Model): boolean => model.id.startsWith("gemini-");
