import { isJsonObject, type JsonValue } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { defineRule, isThinking, without } from "./define.ts";

const isForced = (choice: JsonValue | undefined): boolean =>
  choice === "required" || choice === "any" || isJsonObject(choice);

type Words = (choice: JsonValue | undefined) => string;

/** What the vendors say of a choice they do not take. */
const forcedToolWords: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["deepseek", () => "Thinking mode does not support this tool_choice"],
  [
    "qwen",
    () =>
      "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
  ],
  [
    "moonshot",
    (choice) =>
      `tool_choice '${isJsonObject(choice) ? "specified" : "required"}' is incompatible with thinking enabled`,
  ],
  ["zai", () => "Tool choice must be auto"],
]);

/** Limits of the vendors' own servers; who else serves their models takes the choice. */
const refusesChoice = (input: RuleInput, choice: JsonValue | undefined): boolean => {
  const { toolChoice: limit } = input.model;
  if (!isForced(choice)) return false;
  if (limit === "auto-only") return true;
  const isLimited = limit === "not-thinking" || (limit === "not-named" && isJsonObject(choice));
  return isLimited && isThinking(input);
};

export const forcedTool: Rule = defineRule({
  id: "openai-chat/forced-tool",
  about: ["tool_choice"],
  summary:
    "DeepSeek, Qwen and Kimi take no forced tool choice while they think (Kimi K3: none by name), GLM never.",
  fix: "Let the model choose, or turn thinking off.",
  repairSummary: "`tool_choice` is left out.",
  find: (input) => {
    const choice = input.body["tool_choice"];
    const words = forcedToolWords.get(input.model.provider);
    return words !== undefined && refusesChoice(input, choice)
      ? [
          {
            path: "tool_choice",
            param: null,
            code: "invalid_request_error",
            message: words(choice),
          },
        ]
      : [];
  },
  repair: ({ body }) => without(body, "tool_choice"),
});
