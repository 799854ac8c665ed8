import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { makeAnthropicMessagesRules } from "./anthropic-messages/rules/index.ts";
import { makeGoogleGenerateRules } from "./google-generate/rules/index.ts";
import { makeOpenaiChatRules } from "./openai-chat/rules/index.ts";
import { makeOpenaiResponsesRules } from "./openai-responses/rules/index.ts";

/** The functions that make the rules of each wire. */
export const ruleMakers: Readonly<Record<WireId, () => readonly Rule[]>> = {
  "anthropic-messages": makeAnthropicMessagesRules,
  "openai-responses": makeOpenaiResponsesRules,
  "openai-chat": makeOpenaiChatRules,
  "google-generate": makeGoogleGenerateRules,
};
