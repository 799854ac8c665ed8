import type { Rule } from "../../../types/rule.ts";
import { adviseOnCap, adviseOnTags } from "../../common/rules/advice.ts";
import { defineRule, isOpenaiReasoner, messagesOf } from "./view.ts";

const capField = "max_completion_tokens";

export const adviceRules = (): readonly Rule[] => [
  defineRule(
    adviseOnCap("openai-chat/advice-tight-cap", capField, capField, ({ body, model }) => {
      const effort = body["reasoning_effort"] ?? model.defaultThinking ?? "none";
      const thinks = isOpenaiReasoner(model) && !model.assumed && effort !== "none";
      return thinks ? { cap: body[capField] } : undefined;
    }),
  ),
  defineRule(
    adviseOnTags("openai-chat/advice-thinking-tags", "in its own field", (input) =>
      messagesOf(input).flatMap(({ role, content }, at) =>
        role === "assistant" ? { path: `messages[${at}].content`, text: content } : [],
      ),
    ),
  ),
];
