import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { makeAnthropicMessagesRules } from "../wire/anthropic-messages/rules/index.ts";
import { makeGoogleGenerateRules } from "../wire/google-generate/rules/index.ts";
import { makeOpenaiChatRules } from "../wire/openai-chat/rules/index.ts";
import { makeOpenaiResponsesRules } from "../wire/openai-responses/rules/index.ts";

const makers: Readonly<Record<WireId, () => readonly Rule[]>> = {
  "anthropic-messages": makeAnthropicMessagesRules,
  "openai-responses": makeOpenaiResponsesRules,
  "openai-chat": makeOpenaiChatRules,
  "google-generate": makeGoogleGenerateRules,
};

const made = new Map<WireId, readonly Rule[]>();

/**
 * Everything a service insists on, as far as a request can tell. Made when it is first asked for: most
 * programs need the rules of one wire, and importing should not wait for hundreds.
 */
export function rulesOf(wire: WireId): readonly Rule[] {
  const known = made.get(wire);
  if (known !== undefined) return known;
  const rules = makers[wire]();
  made.set(wire, rules);
  return rules;
}
