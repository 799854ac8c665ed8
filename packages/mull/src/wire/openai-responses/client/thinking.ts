import type { JsonObject } from "../../../types/json.ts";
import type { Effort, Model } from "../../../types/model.ts";
import {
  info,
  warning,
  type Note,
  type ShowThinking,
  type ThinkingSetting,
} from "../../../types/plan.ts";

/** The first models with summaries know no `concise`. */
const withoutConcise = /^(?:o\d|gpt-5(?:$|-(?!chat)))/;

/** The `reasoning` object; nothing if the service decides. */
export function reasoningFields(
  setting: ThinkingSetting,
  show: ShowThinking,
  model: Model,
  notes: Note[],
): JsonObject | undefined {
  const { thinking } = model;
  if (thinking.kind === "none") {
    if (setting.type !== "default" && setting.type !== "off") {
      const message = `${model.id} does not think; the setting was left out.`;
      notes.push(info("thinking-dropped", message));
    }
    return undefined;
  }
  const asked = effortOf(setting);
  const offered = thinking.kind === "effort" ? thinking.efforts : undefined;
  const effort = asked !== undefined && offered?.includes(asked) === false ? undefined : asked;
  if (asked !== undefined && effort === undefined) {
    const message = `${model.id} has no effort ${asked}; the service decides.`;
    notes.push(warning("effort-dropped", message));
  }
  if (
    asked === undefined &&
    setting.type !== "default" &&
    setting.type !== "on" &&
    !isOmitted(setting)
  ) {
    const message = "This API has effort words only; the setting was left out.";
    notes.push(warning("thinking-dropped", message));
  }
  const summary = effort === "none" ? undefined : summaryOf(setting, show, model, notes);
  if (effort === undefined && summary === undefined) return undefined;
  return {
    ...(effort !== undefined && { effort }),
    ...(summary !== undefined && { summary }),
  };
}

const isOmitted = (setting: ThinkingSetting): boolean =>
  setting.type === "off" && setting.form === "omit";

function effortOf(setting: ThinkingSetting): Effort | undefined {
  if (setting.type === "effort" || setting.type === "budget") return setting.effort;
  if (setting.type !== "off") return undefined;
  return setting.effort ?? (setting.form === "effort-none" ? "none" : undefined);
}

/** Nothing at all is said about thinking by default, unless a style of summary was asked for. */
function summaryOf(
  setting: ThinkingSetting,
  show: ShowThinking,
  model: Model,
  notes: Note[],
): ShowThinking | undefined {
  if (show === false || model.shows === "nothing") return undefined;
  if ((setting.type === "default" || isOmitted(setting)) && show === "auto") return undefined;
  if (show === "concise" && withoutConcise.test(model.id)) {
    notes.push(info("summary-changed", `${model.id} has no concise summaries; auto was sent.`));
    return "auto";
  }
  return show;
}
