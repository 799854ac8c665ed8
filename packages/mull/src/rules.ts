import { rulesOf } from "./rules/rules-of.ts";
import type { Rule } from "./types/rule.ts";
import { anthropicTraits } from "./wire/anthropic-messages/traits.ts";
import { googleTraits } from "./wire/google-generate/traits.ts";
import { chatTraits } from "./wire/openai-chat/traits.ts";
import { responsesTraits } from "./wire/openai-responses/traits.ts";

/** The rules of the Messages API, in the order the service checks them. */
export const anthropicMessagesRules: readonly Rule[] = rulesOf(anthropicTraits.id);
/** The rules of the Responses API, in the order the service checks them. */
export const openaiResponsesRules: readonly Rule[] = rulesOf(responsesTraits.id);
/** The rules of Chat Completions and compatible services. */
export const openaiChatRules: readonly Rule[] = rulesOf(chatTraits.id);
/** The rules of Google's `generateContent`, in the order the service checks them. */
export const googleGenerateRules: readonly Rule[] = rulesOf(googleTraits.id);

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
