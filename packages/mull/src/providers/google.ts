import { geminiFamily } from "../catalogue/google.ts";
import type { Provider } from "../types/provider.ts";
import { googleGenerate } from "../wire/google-generate/index.ts";
import { fromFamily } from "./from-family.ts";

/** Google as a provider, on the Gemini API. */
export const google: Provider = fromFamily(geminiFamily, {
  name: "Google",
  wire: googleGenerate,
  baseUrl: "https://generativelanguage.googleapis.com",
  auth: "x-goog-api-key",
  keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
});
