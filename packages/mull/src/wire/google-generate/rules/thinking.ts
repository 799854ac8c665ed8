import type { JsonObject } from "../../../types/json.ts";
import { type GoogleLevel, googleLevels, type Model } from "../../../types/model.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { geminiGeneration } from "../client/generation.ts";
import { hasKeys, objectOf, textOf } from "../client/json-reading.ts";
import {
  askedModel,
  configNames,
  defined,
  field,
  isVertex,
  makeRule,
  type Problem,
  thinkingOf,
  withConfig,
} from "./rule-kit.ts";

const at = "generation_config.thinking_config";

const setThinking = (body: JsonObject, fields: JsonObject): JsonObject => {
  const thinkingConfig = defined({ ...objectOf(thinkingOf(body)), ...fields });
  return withConfig(body, { thinkingConfig: hasKeys(thinkingConfig) ? thinkingConfig : undefined });
};

const levelIn = (body: JsonObject): string =>
  textOf(field(thinkingOf(body), "thinkingLevel")).toUpperCase();

const budgetIn = (body: JsonObject): number | undefined => {
  const budget = field(thinkingOf(body), "thinkingBudget");
  return typeof budget === "number" ? budget : undefined;
};

const one = (path: string, message: string, fix?: string): readonly Problem[] => [
  { path, message, ...(fix !== undefined && { fix }) },
];

const notBoth = (): Rule =>
  makeRule({
    id: "google/level-or-budget",
    about: configNames,
    summary: "A thinking level and a thinking budget exclude each other, on every model.",
    preflight: true,
    check: ({ body }) =>
      levelIn(body) !== "" && budgetIn(body) !== undefined
        ? one(at, "You can only set only one of thinking budget and thinking level.")
        : [],
    repairSummary: "Keeps the one the model takes.",
    repair: (body, { model }) =>
      setThinking(
        body,
        model.thinking.kind === "budget"
          ? { thinkingLevel: undefined }
          : { thinkingBudget: undefined },
      ),
  });

const noLevel = (): Rule =>
  makeRule({
    id: "google/level-on-budget-model",
    about: configNames,
    summary: "Gemini 2.5 takes a thinking budget, not a level.",
    preflight: true,
    check: ({ body, model }) =>
      levelIn(body) !== "" && model.thinking.kind === "budget"
        ? one(`${at}.thinking_level`, "Thinking level is not supported for this model.")
        : [],
    repairSummary: "Leaves the level out.",
    repair: (body) => setThinking(body, { thinkingLevel: undefined }),
  });

const levelsOf = ({ thinking }: Model): readonly GoogleLevel[] =>
  thinking.kind === "level" ? thinking.levels : [];

/** The nearest lower level that is offered, else the lowest. */
function nearestLevel(level: string, offered: readonly GoogleLevel[]): GoogleLevel | undefined {
  const rank = googleLevels.findIndex((known) => known === level);
  return offered.findLast((known) => googleLevels.indexOf(known) <= rank) ?? offered[0];
}

const offeredLevel = (): Rule =>
  makeRule({
    id: "google/level-not-offered",
    about: configNames,
    summary: "Each model of Gemini 3 and later, and Gemma 4, takes certain thinking levels only.",
    preflight: true,
    check: (input) => {
      const level = levelIn(input.body);
      const offered = levelsOf(input.model);
      if (level === "" || level === "THINKING_LEVEL_UNSPECIFIED" || offered.length === 0) return [];
      if (offered.some((known) => known === level)) return [];
      const text = isVertex(input)
        ? `Unable to submit request because thinking_level ${level} is not supported by this model.`
        : `Thinking level ${level} is not supported for this model. Please retry with other thinking level.`;
      return one(`${at}.thinking_level`, text, `Send one of ${offered.join(", ")}.`);
    },
    repairSummary: "Takes the nearest lower level the model offers, else its lowest.",
    repair: (body, { model }) =>
      setThinking(body, { thinkingLevel: nearestLevel(levelIn(body), levelsOf(model)) }),
  });

interface Range {
  readonly min: number;
  readonly max: number;
  readonly zero: boolean;
}

const anyBudget: Range = { min: -Infinity, max: Infinity, zero: true };

/** Gemini 3 reads a budget too; which of its models take 0 was measured one by one. */
function rangeOf({ path, model }: RuleInput): Range {
  const { thinking, id } = model;
  if (thinking.kind === "budget") {
    return { min: thinking.min, max: thinking.max, zero: thinking.off === "budget-zero" };
  }
  if (!isGemini3(model)) return anyBudget;
  const zero = !/-pro|3\.5-flash-lite/.test(id);
  return { min: 1, max: path.includes("gemini-3.7-flash:") ? 32_768 : 65_535, zero };
}

const isGemini3 = (model: Model): boolean => {
  const generation = geminiGeneration(model);
  return model.thinking.kind === "level" && generation >= 3 && generation < 4;
};

const isInRange = (budget: number, { min, max, zero }: Range): boolean =>
  budget === -1 || (budget === 0 ? zero : budget >= min && budget <= max);

const budgetRange = (): Rule =>
  makeRule({
    id: "google/budget-range",
    about: configNames,
    summary: "A thinking budget lies in the model's range; 0 is off where the model can be off.",
    preflight: true,
    check: (input) => {
      const budget = budgetIn(input.body);
      const range = rangeOf(input);
      if (budget === undefined || isInRange(budget, range)) return [];
      const text =
        budget === 0
          ? "Budget 0 is invalid. This model only works in thinking mode."
          : `The thinking budget ${budget} is invalid. Please choose a value between ${range.min} and ${range.max}.`;
      return one(`${at}.thinking_budget`, text);
    },
    repairSummary: "Takes the nearest budget in range.",
    repair: (body, input) => {
      const { min, max } = rangeOf(input);
      const budget = Number(field(thinkingOf(body), "thinkingBudget"));
      return setThinking(body, { thinkingBudget: Math.min(Math.max(budget, min), max) });
    },
  });

const noBudget = (): Rule =>
  makeRule({
    id: "google/budget-on-level-model",
    about: configNames,
    summary: "Gemini 4 and Gemma 4 take a thinking level, not a budget.",
    preflight: true,
    check: (input) => {
      const isLevelOnly = input.model.thinking.kind === "level" && !isGemini3(input.model);
      return budgetIn(input.body) !== undefined && isLevelOnly && input.model.assumed !== true
        ? one(`${at}.thinking_budget`, "Thinking budget is not supported for this model.")
        : [];
    },
    repairSummary: "Leaves the budget out.",
    repair: (body) => setThinking(body, { thinkingBudget: undefined }),
  });

const cannotThink = (): Rule =>
  makeRule({
    id: "google/thinking-not-enabled",
    about: configNames,
    summary: "Models that do not think refuse a thinking setting.",
    preflight: true,
    check: (input) => {
      const asks =
        levelIn(input.body) !== "" ||
        (budgetIn(input.body) ?? 0) !== 0 ||
        field(thinkingOf(input.body), "includeThoughts") === true;
      const isKnown = input.model.thinking.kind === "none" && input.model.assumed !== true;
      return asks && isKnown
        ? one(at, `Thinking is not enabled for models/${askedModel(input)}`)
        : [];
    },
    repairSummary: "Leaves the thinking settings out.",
    repair: (body) => withConfig(body, { thinkingConfig: undefined }),
  });

const thoughtsWhileOff = (): Rule =>
  makeRule({
    id: "google/thoughts-while-off",
    summary: "Vertex refuses includeThoughts while thinking is off.",
    check: (input) =>
      isVertex(input) &&
      budgetIn(input.body) === 0 &&
      field(thinkingOf(input.body), "includeThoughts") === true
        ? one(
            `${at}.include_thoughts`,
            "Unable to submit request because Thinking_config.include_thoughts is only enabled when thinking is enabled..",
          )
        : [],
    repairSummary: "Leaves includeThoughts out.",
    repair: (body) => setThinking(body, { includeThoughts: undefined }),
  });

export const thinkingRules = (): readonly Rule[] => [
  notBoth(),
  noLevel(),
  offeredLevel(),
  budgetRange(),
  noBudget(),
  cannotThink(),
  thoughtsWhileOff(),
];
