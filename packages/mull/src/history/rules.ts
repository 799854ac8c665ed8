import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { anthropicMessagesRules } from "../wire/anthropic-messages/rules.ts";
import { googleGenerateRules } from "../wire/google-generate/rules.ts";
import { openaiChatRules } from "../wire/openai-chat/rules.ts";
import { openaiResponsesRules } from "../wire/openai-responses/rules.ts";

const rules: Readonly<Record<WireId, readonly Rule[]>> = {
  "anthropic-messages": anthropicMessagesRules,
  "openai-responses": openaiResponsesRules,
  "openai-chat": openaiChatRules,
  "google-generate": googleGenerateRules,
};

/** Everything a service insists on, as far as a request can tell. */
export const rulesOf = (wire: WireId): readonly Rule[] => rules[wire];

/** The rules of every wire. */
export const allRules: readonly Rule[] = Object.values(rules).flat();
