import { adviseOnCap, adviseOnTags } from "../../common/rules/advice.ts";
import type { RuleTable } from "../../common/rules/define-rule.ts";
import { isOpenaiReasoner, messagesOf } from "./view.ts";

const capField = "max_completion_tokens";

export const adviceRules: RuleTable = {
  "openai-chat/advice-tight-cap": adviseOnCap(capField, capField, ({ body, model }) => {
    const effort = body["reasoning_effort"] ?? model.defaultThinking ?? "none";
    const thinks = isOpenaiReasoner(model) && !model.assumed && effort !== "none";
    return thinks ? { cap: body[capField] } : undefined;
  }),
  "openai-chat/advice-thinking-tags": adviseOnTags("in its own field", (input) =>
    messagesOf(input).flatMap(({ role, content }, at) =>
      role === "assistant" ? { path: `messages[${at}].content`, text: content } : [],
    ),
  ),
};
