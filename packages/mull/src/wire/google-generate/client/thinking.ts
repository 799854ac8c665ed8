import type { JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import {
  warning,
  type Note,
  type ShowThinking,
  type ThinkingSetting,
} from "../../../types/plan.ts";

/**
 * `generationConfig.thinkingConfig`, or nothing. A level and a budget exclude each other, and each
 * model takes one of the two; what it does not take is left out and noted. Summaries are asked for
 * with a setting only: some backends refuse `includeThoughts` while thinking is off.
 */
export function writeThinking(
  setting: ThinkingSetting,
  show: ShowThinking,
  model: Model,
  notes: Note[],
): JsonObject | undefined {
  const knob = writeKnob(setting, model);
  if (knob === undefined) {
    if (setting.type !== "default" && setting.type !== "off") notes.push(notTaken(setting, model));
    return undefined;
  }
  return show === false || setting.type === "off" ? knob : { includeThoughts: true, ...knob };
}

/** -1 lets a budget model choose; a level model thinks by itself. */
function writeKnob(setting: ThinkingSetting, { thinking }: Model): JsonObject | undefined {
  if (setting.type === "off" && setting.form === "budget-zero") return { thinkingBudget: 0 };
  if (setting.type === "level" && thinking.kind === "level") {
    return { thinkingLevel: setting.level };
  }
  if (thinking.kind !== "budget") return undefined;
  if (setting.type === "on") return { thinkingBudget: -1 };
  return setting.type === "budget" ? { thinkingBudget: setting.tokens } : undefined;
}

const notTaken = (setting: ThinkingSetting, model: Model): Note =>
  warning(
    "google-thinking-dropped",
    `${model.id} takes ${takes(model)}; the ${setting.type} setting was left out.`,
  );

const takes = ({ thinking }: Model): string => {
  if (thinking.kind === "budget") return "a thinking budget only";
  return thinking.kind === "level" ? "a thinking level only" : "no thinking setting";
};
