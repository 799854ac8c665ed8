import { openaiFamily } from "../catalogue/openai.ts";
import type { Provider } from "../types/provider.ts";
import { openaiResponses } from "../wire/openai-responses/index.ts";
import { fromFamily } from "./from-family.ts";

/** OpenAI as a provider, on its Responses API. */
export const openai: Provider = fromFamily(openaiFamily, {
  name: "OpenAI",
  wire: openaiResponses,
  baseUrl: "https://api.openai.com/v1",
  auth: "bearer",
});
