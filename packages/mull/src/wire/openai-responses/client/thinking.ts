import type { JsonObject } from "../../../types/json.ts";
import type { Effort } from "../../../types/model.ts";
import {
  warning,
  type Note,
  type ShowThinking,
  type ThinkingSetting,
} from "../../../types/plan.ts";

/** The `reasoning` object; nothing if the service decides. What the model takes is decided by then. */
export function reasoningFields(
  setting: ThinkingSetting,
  show: ShowThinking,
  notes: Note[],
): JsonObject | undefined {
  const effort = effortOf(setting);
  if (
    effort === undefined &&
    setting.type !== "default" &&
    setting.type !== "on" &&
    !isOmitted(setting)
  ) {
    const message = "This API has effort words only; the setting was left out.";
    notes.push(warning("thinking-dropped", message));
  }
  const summary = effort === "none" ? undefined : summaryOf(setting, show);
  if (effort === undefined && summary === undefined) return undefined;
  const asked = effort === undefined ? {} : { effort };
  return summary === undefined ? asked : { summary, ...asked };
}

const isOmitted = (setting: ThinkingSetting): boolean =>
  setting.type === "off" && setting.form === "omit";

function effortOf(setting: ThinkingSetting): Effort | undefined {
  if (setting.type === "effort" || setting.type === "budget") return setting.effort;
  if (setting.type !== "off") return undefined;
  return setting.effort ?? (setting.form === "effort-none" ? "none" : undefined);
}

/** Nothing at all is said about thinking by default, unless a style of summary was asked for. */
const summaryOf = (setting: ThinkingSetting, show: ShowThinking): ShowThinking | undefined =>
  show === false || ((setting.type === "default" || isOmitted(setting)) && show === "auto")
    ? undefined
    : show;
