import { claudeFamily } from "../catalogue/anthropic.ts";
import type { Provider } from "../types/provider.ts";
import { anthropicMessages } from "../wire/anthropic-messages/index.ts";
import { fromFamily } from "./from-family.ts";

/** Anthropic as a provider, on its Messages API. */
export const anthropic: Provider = fromFamily(claudeFamily, {
  name: "Anthropic",
  wire: anthropicMessages,
  baseUrl: "https://api.anthropic.com",
  auth: "x-api-key",
});
