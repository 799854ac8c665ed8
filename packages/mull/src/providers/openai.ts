import { providerOf } from "./provider-of.ts";
import type { Provider } from "../types/provider.ts";
import { openaiChat as chatVendor } from "../vendors/openai-chat.ts";
import { openai as vendor } from "../vendors/openai.ts";
import { openaiChat } from "../wire/openai-chat/index.ts";
import { openaiResponses } from "../wire/openai-responses/index.ts";

/** OpenAI as a provider, on its Responses API. */
export const openai: Provider = /* @__PURE__ */ providerOf(vendor, openaiResponses);
/**
 * OpenAI as a provider, on Chat Completions: without thinking summaries, and without thinking
 * carried over between requests.
 */
export const openaiChatProvider: Provider = /* @__PURE__ */ providerOf(chatVendor, openaiChat);
