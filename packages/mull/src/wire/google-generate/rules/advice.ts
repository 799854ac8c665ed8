import type { Rule, RuleInput } from "../../../types/rule.ts";
import {
  asksFix,
  asksForReasoning,
  asksText,
  hasThinkingTags,
  tagsFix,
  tagsText,
  tightCap,
  tightCapFix,
  tightCapText,
} from "../../common/advice-words.ts";
import { textOf } from "../client/json-reading.ts";
import {
  askedModel,
  configOf,
  field,
  makeRule,
  thinkingOf,
  turnsOf,
  withConfig,
} from "./rule-kit.ts";

const isLow = ({ body }: RuleInput): boolean =>
  field(thinkingOf(body), "thinkingBudget") === 0 ||
  textOf(field(thinkingOf(body), "thinkingLevel")).toUpperCase() === "MINIMAL";

export const adviceRules = (): readonly Rule[] => [
  makeRule({
    id: "google/advice-sampling",
    severity: "advice",
    summary: "From 3.5-flash-lite and 3.6 on temperature is taken and ignored.",
    check: ({ body, model }) => {
      const temperature = field(configOf(body), "temperature");
      const isIdle = model.sampling === "ignored" && model.assumed !== true;
      return isIdle && typeof temperature === "number" && temperature !== 1
        ? [
            {
              path: "generation_config.temperature",
              message: "This model takes a temperature and ignores it.",
              fix: "Leave it out.",
            },
          ]
        : [];
    },
    repairSummary: "Leaves the temperature out.",
    repair: (body) => withConfig(body, { temperature: undefined }),
  }),
  makeRule({
    id: "google/advice-zero-budget",
    severity: "advice",
    summary: "3.7-flash and 3.8-flash take a budget of 0 and think all the same.",
    check: (input) =>
      /gemini-3\.[78]-flash/.test(askedModel(input)) &&
      field(thinkingOf(input.body), "thinkingBudget") === 0
        ? [
            {
              path: "generation_config.thinking_config.thinking_budget",
              message: "This model takes a budget of 0 and thinks all the same.",
              fix: "Ask for thinkingLevel LOW, its least.",
            },
          ]
        : [],
    repairSummary: "Asks for the level LOW.",
    repair: (body) => {
      const { thinkingBudget: _, ...rest } = thinkingOf(body);
      return withConfig(body, { thinkingConfig: { ...rest, thinkingLevel: "LOW" } });
    },
  }),
  makeRule({
    id: "google/advice-tight-cap",
    severity: "advice",
    summary: "A small `maxOutputTokens` may be spent on thinking alone.",
    check: (input) => {
      const cap = field(configOf(input.body), "maxOutputTokens");
      const { kind } = input.model.thinking;
      const isAsked = kind === "level" && !isLow(input) && input.model.assumed !== true;
      return isAsked && typeof cap === "number" && cap < tightCap
        ? [
            {
              path: "generation_config.max_output_tokens",
              message: tightCapText(cap),
              fix: tightCapFix,
            },
          ]
        : [];
    },
  }),
  makeRule({
    id: "google/advice-thinking-tags",
    severity: "advice",
    summary: "Thinking goes back as thought parts, not as tags in the answer's text.",
    check: (input) =>
      turnsOf(input).flatMap(({ role, parts, index }) =>
        parts.flatMap(({ text }, at) =>
          role === "model" && hasThinkingTags(textOf(text))
            ? [{ path: `contents[${index}].parts[${at}].text`, message: tagsText, fix: tagsFix }]
            : [],
        ),
      ),
  }),
  makeRule({
    id: "google/advice-asks-for-reasoning",
    severity: "advice",
    summary: "A model that thinks need not be asked to write its reasoning down.",
    check: (input) => {
      if (input.model.thinking.kind !== "level" || isLow(input)) return [];
      const asked = turnsOf(input).flatMap(({ role, parts, index }) =>
        parts.flatMap(({ text }, at) =>
          role === "user" && asksForReasoning(textOf(text))
            ? [{ path: `contents[${index}].parts[${at}].text`, message: asksText, fix: asksFix }]
            : [],
        ),
      );
      return asked.slice(-1);
    },
  }),
];
