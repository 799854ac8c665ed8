import { isOpenaiReasoner } from "../vendors/on-wire.ts";
import type { Effort, GoogleLevel, Model, ThinkingTraits } from "../types/model.ts";
import { efforts, googleLevels } from "../types/model.ts";
import { info, warning, type Note, type ThinkingSetting } from "../types/plan.ts";
import { traitsOf } from "../wire/traits.ts";
import type { ThinkingWish } from "./ask.ts";
import { budgetRange } from "./ask.ts";
import type { SetLevel } from "./level-value.ts";
import { effortOf, googleLevelOf, levelValue, nearestOffered } from "./level-value.ts";
import { grouped, settingWords } from "./words.ts";

/** The setting before the output cap is considered, and how it differs from the wish. */
export interface ChosenSetting {
  readonly setting: ThinkingSetting;
  readonly notes: readonly Note[];
}

/** Where an explicit budget stands among effort words: the largest step that fits into it. */
const budgetLadder: readonly (readonly [Effort, GoogleLevel, number])[] = [
  ["max", "HIGH", 65_536],
  ["xhigh", "HIGH", 32_768],
  ["high", "HIGH", 16_384],
  ["medium", "MEDIUM", 8192],
  ["low", "LOW", 2048],
];
const lowestStep = ["minimal", "MINIMAL"] as const;

/** The effort or level that an explicit budget stands for. */
export const stepOfBudget = (budget: number): readonly [Effort, GoogleLevel] => {
  const [effort, level] = budgetLadder.find(([, , least]) => budget >= least) ?? lowestStep;
  return [effort, level];
};

const offSetting = (thinking: ThinkingTraits): ThinkingSetting | undefined =>
  thinking.kind === "none" || thinking.off === "never"
    ? undefined
    : { type: "off", form: thinking.off };

/** The table's value in words that the service accepts today. */
const onSetting = (model: Model, level: SetLevel): ThinkingSetting => {
  const value = levelValue(model, level);
  if (value.kind === "budget") return { type: "budget", tokens: value.tokens };
  if (value.kind === "level") return { type: "level", level: value.level };
  if (value.kind !== "effort" || model.thinking.kind !== "effort") return { type: "on" };
  const words = model.thinking.efforts.filter((word) => word !== "none");
  return { type: "effort", effort: nearestOffered(efforts, words, value.effort) };
};

const sentStep = (setting: ThinkingSetting, level: SetLevel): number => {
  if (setting.type === "effort") {
    return efforts.indexOf(setting.effort) - efforts.indexOf(effortOf[level]);
  }
  if (setting.type === "level") {
    return googleLevels.indexOf(setting.level) - googleLevels.indexOf(googleLevelOf[level]);
  }
  return 0;
};

const sameSetting = (one: ThinkingSetting, other: ThinkingSetting): boolean =>
  settingWords(one) === settingWords(other);

const roundingNotes = (
  model: Model,
  level: SetLevel,
  setting: ThinkingSetting,
): readonly Note[] => {
  const words = settingWords(setting);
  if (setting.type === "on") {
    return [
      info("on-off-only", `${model.id} can only turn thinking on or off: ${level} means on.`),
    ];
  }
  if (level === "max" && sameSetting(setting, onSetting(model, "high"))) {
    return [info("collapsed", `${model.id} has nothing above high: max sends ${words} too.`)];
  }
  const step = sentStep(setting, level);
  if (step > 0) {
    return [warning("rounded-up", `${model.id} has no step as low as ${level}: ${words} is sent.`)];
  }
  return step < 0 && level !== "max"
    ? [
        warning(
          "rounded-down",
          `${model.id} has no ${level}: ${words} is sent, the next lower one.`,
        ),
      ]
    : [];
};

const chooseOff = (model: Model): ChosenSetting => {
  const setting = offSetting(model.thinking);
  if (setting === undefined) {
    const floor = onSetting(model, "none");
    const message = `${model.id} cannot turn thinking off: ${settingWords(floor)} is sent.`;
    return { setting: floor, notes: [warning("cannot-disable", message)] };
  }
  const soft = setting.type === "off" && setting.form === "between_tools";
  const message = `${model.id} turns thinking off only before the answer: it still notes its progress between tool calls.`;
  return { setting, notes: soft ? [warning("between-tools", message)] : [] };
};

const chooseBudget = (model: Model, budget: number): ChosenSetting => {
  const { thinking } = model;
  if (budgetRange(model) !== undefined) {
    const { deprecatesBudgets } = traitsOf[model.wire];
    const message = `Budgets are deprecated on ${model.id}; a level sends an effort instead.`;
    return {
      setting: { type: "budget", tokens: budget },
      notes:
        deprecatesBudgets && thinking.kind === "effort" ? [info("budget-deprecated", message)] : [],
    };
  }
  const [effort, level] = stepOfBudget(budget);
  let setting: ThinkingSetting = { type: "on" };
  if (thinking.kind === "effort") {
    const words = thinking.efforts.filter((word) => word !== "none");
    setting = { type: "effort", effort: nearestOffered(efforts, words, effort) };
  } else if (thinking.kind === "level") {
    setting = { type: "level", level: nearestOffered(googleLevels, thinking.levels, level) };
  }
  const message = `${model.id} takes no token budget: ${settingWords(setting)} is sent for a budget of ${grouped(budget)}.`;
  return { setting, notes: [warning("budget-to-effort", message)] };
};

/** Chooses the thinking setting that comes closest to a wish on a model. */
export const chooseSetting = (model: Model, wish: ThinkingWish): ChosenSetting => {
  if (model.thinking.kind === "none") {
    const asked = wish.level !== "auto" && wish.level !== "none";
    const message = `${model.id} does not think: ${wish.level} is left out.`;
    return { setting: { type: "default" }, notes: asked ? [info("not-thinking", message)] : [] };
  }
  if (wish.budget !== undefined) return chooseBudget(model, wish.budget);
  if (wish.level === "auto") return { setting: { type: "default" }, notes: [] };
  if (wish.level === "none") return chooseOff(model);
  const setting = onSetting(model, wish.level);
  return { setting, notes: roundingNotes(model, wish.level, setting) };
};

/**
 * Turns thinking off if Chat Completions refuses function tools together with an effort: from gpt-5.2
 * on, and from gpt-5.6 on even without one unless it is `none`.
 */
export const allowTools = (model: Model, choice: ChosenSetting): ChosenSetting => {
  const generation = Number(model.generation);
  if (!traitsOf[model.wire].toolsOrEffort || !isOpenaiReasoner(model) || !(generation >= 5.2)) {
    return choice;
  }
  const { type } = choice.setting;
  if (type === "off" || (type === "default" && generation < 5.6)) return choice;
  const off = offSetting(model.thinking);
  const auto = type === "default" ? "Even at auto, " : "";
  const message = off
    ? `${auto}${model.id} takes tools on Chat Completions only with thinking off; the Responses API takes both.`
    : `${model.id} takes no tools on Chat Completions; use the Responses API.`;
  return {
    setting: off ?? { type: "default" },
    notes: [...choice.notes, warning("chat-tools-effort", message)],
  };
};
