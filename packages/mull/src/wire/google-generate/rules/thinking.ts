import type { JsonObject } from "../../../types/json.ts";
import { googleLevels, type Model } from "../../../types/model.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asText } from "../../common/json-reading.ts";
import {
  fault,
  cheap,
  clamp,
  nearestWord,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { geminiGeneration } from "../client/generation.ts";
import { askedModel, field, isVertex, thinkingOf, withThinking } from "./view.ts";

const at = "generation_config.thinking_config";

const levelIn = (body: JsonObject): string =>
  asText(field(thinkingOf(body), "thinkingLevel")).toUpperCase();

const budgetIn = (body: JsonObject): number | undefined => {
  const budget = field(thinkingOf(body), "thinkingBudget");
  return typeof budget === "number" ? budget : undefined;
};

const wantsThoughts = (body: JsonObject): boolean =>
  field(thinkingOf(body), "includeThoughts") === true;

const levelsOf = ({ thinking }: Model): readonly string[] =>
  thinking.kind === "level" ? thinking.levels : [];

interface Range {
  readonly min: number;
  readonly max: number;
  readonly zero: boolean;
}

/** Gemini 3 reads a budget too; which of its models take 0 was measured one by one. */
function rangeOf({ path, model }: RuleInput): Range {
  const { thinking, id } = model;
  if (thinking.kind === "budget") {
    return { min: thinking.min, max: thinking.max, zero: thinking.off === "budget-zero" };
  }
  if (!isGemini3(model)) return { min: -Infinity, max: Infinity, zero: true };
  const zero = !/-pro|3\.5-flash-lite/.test(id);
  return { min: 1, max: path.includes("gemini-3.7-flash:") ? 32_768 : 65_535, zero };
}

const isGemini3 = (model: Model): boolean => {
  const generation = geminiGeneration(model);
  return model.thinking.kind === "level" && generation >= 3 && generation < 4;
};

const isInRange = (budget: number, { min, max, zero }: Range): boolean =>
  budget === -1 || (budget === 0 ? zero : budget >= min && budget <= max);

/** The nearest budget in the range that the service named, or that is known. */
function budgetFor(input: RuleInput, refused: RegExpExecArray | undefined): number | undefined {
  const { min, max } = rangeOf(input);
  if (!refused) return clamp(budgetIn(input.body)!, min, max);
  const [, budget, least, most] = refused;
  if (most !== undefined) return clamp(Number(budget), Number(least), Number(most));
  const { thinking } = input.model;
  return budget === undefined && thinking.kind === "budget" ? thinking.min : undefined;
}

/** Thinking levels. */
export const thinkingRules: RuleTable = {
  "google/level-or-budget": cheap({
    summary: "A request sets a thinking level or a thinking budget, never both.",
    says: "You can only set only one of thinking budget and thinking level.",
    repairSummary: "Keep the one that the model takes.",
    refusal: /only one of thinking budget and thinking level/,
    find: ({ body }) => levelIn(body) !== "" && budgetIn(body) !== undefined && at,
    repair: ({ body, model }) => {
      const name = model.thinking.kind === "budget" ? "thinkingLevel" : "thinkingBudget";
      return withThinking(body, { [name]: undefined });
    },
  }),
  "google/level-on-budget-model": cheap({
    summary: "Gemini 2.5 takes a thinking budget, not a level.",
    says: "Thinking level is not supported for this model.",
    refusal: /Thinking level is not supported for this model/,
    when: ({ model }) => model.thinking.kind === "budget",
    find: ({ body }) => levelIn(body) !== "" && `${at}.thinking_level`,
    drops: ["generationConfig.thinkingConfig.thinkingLevel"],
  }),
  "google/level-not-offered": cheap({
    summary: "Each model of Gemini 3 and later, and Gemma 4, takes certain thinking levels only.",
    repairSummary: "Use the nearest lower level that the model offers, or its lowest.",
    refusal:
      /is not a supported thinking level for this model\. Allowed values are: ([^.]+)|[Tt]hinking[ _]level (\w+) is not supported/,
    find: (input) => {
      const level = levelIn(input.body);
      const offered = levelsOf(input.model);
      if (["", "THINKING_LEVEL_UNSPECIFIED", ...offered].includes(level)) return [];
      const message = isVertex(input)
        ? `Unable to submit request because thinking_level ${level} is not supported by this model.`
        : `Thinking level ${level} is not supported for this model. Please retry with other thinking level.`;
      const fix = `Send one of ${offered.join(", ")}.`;
      return offered.length > 0 && { path: `${at}.thinking_level`, message, fix };
    },
    repair: ({ body, model }, refused) => {
      const level = levelIn(body);
      const others = googleLevels.filter((each) => each !== level);
      const named = refused?.[1]?.toUpperCase().split(/,\s*/) ?? (refused && others);
      const thinkingLevel = nearestWord(level, named ?? levelsOf(model), googleLevels);
      return withThinking(body, { thinkingLevel });
    },
  }),
  "google/budget-range": cheap({
    summary: "A thinking budget is in the model's range; 0 means off, if the model can be off.",
    repairSummary: "Use the nearest budget in the range.",
    refusal:
      /thinking budget \(?(-?\d+)\)? is invalid(?:\. Please choose a value between (\d+) and (\d+))?|Budget 0 is invalid/,
    find: (input) => {
      const budget = budgetIn(input.body);
      const range = rangeOf(input);
      if (budget === undefined || isInRange(budget, range)) return [];
      const message =
        budget === 0
          ? "Budget 0 is invalid. This model only works in thinking mode."
          : `The thinking budget ${budget} is invalid. Please choose a value between ${range.min} and ${range.max}.`;
      return fault(`${at}.thinking_budget`, message);
    },
    repair: (input, refused) =>
      withThinking(input.body, { thinkingBudget: budgetFor(input, refused) }),
  }),
  "google/budget-on-level-model": cheap({
    summary: "Gemini 4 and Gemma 4 take a thinking level, not a budget.",
    says: "Thinking budget is not supported for this model.",
    when: ({ model }) => model.thinking.kind === "level" && !isGemini3(model) && !model.assumed,
    find: ({ body }) => budgetIn(body) !== undefined && `${at}.thinking_budget`,
    drops: ["generationConfig.thinkingConfig.thinkingBudget"],
  }),
  "google/thinking-not-enabled": cheap({
    summary: "Models that don't think refuse a thinking setting.",
    says: (_, input) => `Thinking is not enabled for models/${askedModel(input)}`,
    refusal: /Thinking is not enabled for/,
    when: ({ model }) => model.thinking.kind === "none" && !model.assumed,
    find: ({ body }) =>
      (levelIn(body) !== "" || (budgetIn(body) ?? 0) !== 0 || wantsThoughts(body)) && at,
    drops: ["generationConfig.thinkingConfig"],
  }),
  "google/thoughts-while-off": {
    summary: "Vertex refuses includeThoughts while thinking is off.",
    says: "Unable to submit request because Thinking_config.include_thoughts is only enabled when thinking is enabled..",
    refusal: /include_thoughts is only enabled when thinking is enabled/,
    when: isVertex,
    find: ({ body }) => budgetIn(body) === 0 && wantsThoughts(body) && `${at}.include_thoughts`,
    drops: ["generationConfig.thinkingConfig.includeThoughts"],
  },
};
