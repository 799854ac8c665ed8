import { onWire } from "../catalogue/on-wire.ts";
import { type Family, once } from "../catalogue/look-up.ts";
import { openaiFamily } from "../catalogue/openai.ts";
import { hostFamily } from "../catalogue/hosts.ts";
import type { Model } from "../types/model.ts";
import type { Provider } from "../types/provider.ts";
import { openaiChat } from "../wire/openai-chat/index.ts";
import { openaiResponses } from "../wire/openai-responses/index.ts";
import { fromFamily } from "./from-family.ts";

const onChat = (model: Model): Model => ({
  ...onWire(model, "openai-chat"),
  provider: "openai-chat",
});

const chatFamily: Family = {
  ...hostFamily("openai-chat"),
  models: once(() => openaiFamily.models().map(onChat)),
};

/**
 * OpenAI as a provider, on Chat Completions: without thinking summaries, and without thinking
 * carried over between requests.
 */
export const openaiChatProvider: Provider = fromFamily(chatFamily, {
  name: "OpenAI",
  wire: openaiChat,
  baseUrl: "https://api.openai.com/v1",
  auth: "bearer",
  keyVariables: ["OPENAI_API_KEY"],
  baseUrlVariable: "OPENAI_BASE_URL",
});

/** Every resource has its own address: set AZURE_BASE_URL to `https://NAME.openai.azure.com/openai/v1`. */
export const azure: Provider = fromFamily(hostFamily("azure"), {
  name: "Azure",
  wire: openaiResponses,
  baseUrl: "https://set-azure-base-url.invalid/openai/v1",
  auth: "bearer",
  keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
});

export const github: Provider = fromFamily(hostFamily("github"), {
  name: "GitHub Models",
  wire: openaiChat,
  baseUrl: "https://models.github.ai/inference",
  auth: "bearer",
  keyVariables: ["GITHUB_TOKEN", "GITHUB_API_KEY"],
  quirks: { omitStore: true },
});
