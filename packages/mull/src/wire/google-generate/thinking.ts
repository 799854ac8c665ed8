import type { JsonObject } from "../../types/json.ts";
import type { Model } from "../../types/model.ts";
import type { Note, ShowThinking, ThinkingSetting } from "../../types/plan.ts";

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
  return show === false || setting.type === "off" ? knob : { ...knob, includeThoughts: true };
}

function writeKnob(setting: ThinkingSetting, { thinking }: Model): JsonObject | undefined {
  switch (setting.type) {
    case "budget":
      return thinking.kind === "budget" ? { thinkingBudget: setting.tokens } : undefined;
    case "level":
      return thinking.kind === "level" ? { thinkingLevel: setting.level } : undefined;
    case "on":
      // -1 lets a budget model choose; a level model thinks by itself.
      return thinking.kind === "budget" ? { thinkingBudget: -1 } : undefined;
    case "off":
      return setting.form === "budget-zero" ? { thinkingBudget: 0 } : undefined;
    case "default":
    case "effort":
      return undefined;
    default:
      return setting satisfies never;
  }
}

const notTaken = (setting: ThinkingSetting, model: Model): Note => ({
  code: "google-thinking-dropped",
  severity: "warning",
  message: `${model.id} takes ${takes(model)}; the ${setting.type} setting was left out.`,
});

const takes = ({ thinking }: Model): string => {
  if (thinking.kind === "budget") return "a thinking budget only";
  return thinking.kind === "level" ? "a thinking level only" : "no thinking setting";
};
