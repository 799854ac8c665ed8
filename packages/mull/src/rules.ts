import { rulesOf } from "./rules/rules-of.ts";
import type { Rule } from "./types/rule.ts";

/** The rules of the Messages API, in the order the service checks them. */
export const anthropicMessagesRules: readonly Rule[] = rulesOf("anthropic-messages");
/** The rules of the Responses API, in the order the service checks them. */
export const openaiResponsesRules: readonly Rule[] = rulesOf("openai-responses");
/** The rules of Chat Completions and compatible services. */
export const openaiChatRules: readonly Rule[] = rulesOf("openai-chat");
/** The rules of Google's `generateContent`, in the order the service checks them. */
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
