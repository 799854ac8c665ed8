import { anthropicModels, assumeClaude } from "./anthropic.ts";
import { assumeGemini, googleModels } from "./google.ts";
import type { Family } from "./look-up.ts";
import { assumeOpenai, openaiModels } from "./openai.ts";

/** Every vendor of the catalogue; a name belongs to the first one that knows it. */
export const families: readonly Family[] = [
  { provider: "anthropic", models: anthropicModels, assume: assumeClaude },
  { provider: "openai", models: openaiModels, assume: assumeOpenai },
  { provider: "google", models: googleModels, assume: assumeGemini },
];
