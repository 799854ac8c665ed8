import type { Rule } from "../../../types/rule.ts";
import {
  hasThinkingTags,
  tagsFix,
  tagsText,
  tightCap,
  tightCapFix,
  tightCapText,
} from "../../common/advice-words.ts";
import { defineRule, isOpenaiReasoner, messagesOf } from "./define.ts";

export const adviceRules = (): readonly Rule[] => [
  defineRule({
    id: "openai-chat/advice-tight-cap",
    severity: "advice",
    summary: "A small `max_completion_tokens` may be spent on thinking alone.",
    fix: tightCapFix,
    isSlow: true,
    find: ({ body, model }) => {
      const cap = body["max_completion_tokens"];
      const effort = body["reasoning_effort"] ?? model.defaultThinking ?? "none";
      return isOpenaiReasoner(model) &&
        !model.assumed &&
        effort !== "none" &&
        typeof cap === "number" &&
        cap < tightCap
        ? [{ path: "max_completion_tokens", message: tightCapText(cap) }]
        : [];
    },
  }),
  defineRule({
    id: "openai-chat/advice-thinking-tags",
    severity: "advice",
    summary: "Thinking goes back in its own field, not as tags in the answer's text.",
    fix: tagsFix,
    isSlow: true,
    find: (input) =>
      messagesOf(input).flatMap(({ role, content }, at) =>
        role === "assistant" && typeof content === "string" && hasThinkingTags(content)
          ? [{ path: `messages[${at}].content`, message: tagsText }]
          : [],
      ),
  }),
];
