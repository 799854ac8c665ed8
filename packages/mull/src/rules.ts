/** What the services insist on, one rule each. */
export { anthropicMessagesRules } from "./wire/anthropic-messages/rules.ts";
export { googleGenerateRules } from "./wire/google-generate/rules.ts";
export { openaiChatRules } from "./wire/openai-chat/rules.ts";
export { openaiResponsesRules } from "./wire/openai-responses/rules.ts";
export { allRules, rulesOf } from "./history/rules.ts";
export type { Finding, Rule, RuleInput, SealVerdict } from "./types/rule.ts";
