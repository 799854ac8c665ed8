import type { RuleInput } from "../../../types/rule.ts";
import { adviseOnAsking, adviseOnCap, adviseOnTags } from "../../common/rules/advice.ts";
import { asText } from "../../common/json-reading.ts";
import type { RuleTable } from "../../common/rules/define-rule.ts";
import { askedModel, configOf, field, partsOf, thinkingOf, withThinking } from "./view.ts";

const isLow = ({ body }: RuleInput): boolean =>
  field(thinkingOf(body), "thinkingBudget") === 0 ||
  asText(field(thinkingOf(body), "thinkingLevel")).toUpperCase() === "MINIMAL";

const thinks = (input: RuleInput): boolean =>
  input.model.thinking.kind === "level" && !isLow(input);

const textsOf = (input: RuleInput, role: string): readonly { path: string; text: unknown }[] =>
  partsOf(input)
    .filter((placed) => placed.role === role)
    .map(({ part, path }) => ({ path: `${path}.text`, text: part["text"] }));

export const adviceRules: RuleTable = {
  "google/advice-sampling": {
    severity: "advice",
    summary: "From 3.5-flash-lite and 3.6 on, temperature is accepted and ignored.",
    says: "This model takes a temperature and ignores it.",
    fix: "Leave it out.",
    when: ({ model }) => model.sampling === "ignored" && !model.assumed,
    find: ({ body }) => {
      const temperature = field(configOf(body), "temperature");
      return (
        typeof temperature === "number" && temperature !== 1 && "generation_config.temperature"
      );
    },
    drops: ["generationConfig.temperature"],
  },
  "google/advice-zero-budget": {
    severity: "advice",
    summary: "3.7-flash and 3.8-flash accept a budget of 0, and think anyway.",
    says: "This model takes a budget of 0 and thinks anyway.",
    repairSummary: "Ask for the level LOW.",
    fix: "Ask for thinkingLevel LOW, its least.",
    when: (input) => /gemini-3\.[78]-flash/.test(askedModel(input)),
    find: ({ body }) =>
      field(thinkingOf(body), "thinkingBudget") === 0 &&
      "generation_config.thinking_config.thinking_budget",
    repair: ({ body }) => withThinking(body, { thinkingBudget: undefined, thinkingLevel: "LOW" }),
  },
  "google/advice-tight-cap": adviseOnCap(
    "maxOutputTokens",
    "generation_config.max_output_tokens",
    (input) =>
      thinks(input) && !input.model.assumed
        ? { cap: field(configOf(input.body), "maxOutputTokens") }
        : undefined,
  ),
  "google/advice-thinking-tags": adviseOnTags("as thought parts", (input) =>
    textsOf(input, "model"),
  ),
  "google/advice-asks-for-reasoning": adviseOnAsking(
    (input) => thinks(input) && textsOf(input, "user"),
  ),
};
