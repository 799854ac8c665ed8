import type { WireId } from "../types/message.ts";
import type { Rule } from "../types/rule.ts";
import { makeAnthropicMessagesRules } from "./anthropic-messages/rules/index.ts";
import { makeGoogleGenerateRules } from "./google-generate/rules/index.ts";
import { makeOpenaiChatRules } from "./openai-chat/rules/index.ts";
import { makeOpenaiResponsesRules } from "./openai-responses/rules/index.ts";

/** Most programs need the rules of one wire, and importing should not wait for hundreds. */
function once(make: () => readonly Rule[]): () => readonly Rule[] {
  let made: readonly Rule[] | undefined;
  return () => (made ??= make());
}

const makers: Readonly<Record<WireId, () => readonly Rule[]>> = {
  "anthropic-messages": once(makeAnthropicMessagesRules),
  "openai-responses": once(makeOpenaiResponsesRules),
  "openai-chat": once(makeOpenaiChatRules),
  "google-generate": once(makeGoogleGenerateRules),
};

/** The rules of a wire: everything its services refuse that a request shows. */
export const rulesOf = (wire: WireId): readonly Rule[] => makers[wire]();
