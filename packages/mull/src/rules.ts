import { rulesOf } from "./rules/rules-of.ts";
import type { Rule } from "./types/rule.ts";

/** What the Messages API insists on, in the order it looks. */
export const anthropicMessagesRules: readonly Rule[] = rulesOf("anthropic-messages");
/** What the Responses API insists on, in the order in which the service looks. */
export const openaiResponsesRules: readonly Rule[] = rulesOf("openai-responses");
/** What OpenAI's Chat Completions and the servers like it insist on. */
export const openaiChatRules: readonly Rule[] = rulesOf("openai-chat");
/** What Google's services insist on, in the order they complain. */
export const googleGenerateRules: readonly Rule[] = rulesOf("google-generate");

/** The rules of every wire. */
export const allRules: readonly Rule[] = [
  ...anthropicMessagesRules,
  ...openaiResponsesRules,
  ...openaiChatRules,
  ...googleGenerateRules,
];

export { heal, type Healed, type Refused } from "./heal/heal.ts";
export {
  prepare,
  type OpenLoopPolicy,
  type Prepared,
  type PrepareTarget,
} from "./history/prepare.ts";
export { rulesOf } from "./rules/rules-of.ts";
export type { Rule, RuleInput, SealVerdict } from "./types/rule.ts";
