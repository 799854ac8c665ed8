import { isOpenaiReasoner } from "../vendors/on-wire.ts";
import { invalidArgument } from "../types/error.ts";
import type { Model } from "../types/model.ts";
import {
  info,
  type Note,
  type ShowThinking,
  type ThinkingPlan,
  type ThinkingSetting,
} from "../types/plan.ts";
import { traitsOf } from "../wire/traits.ts";
import type { ThinkingAsk } from "./ask.ts";

/** What the request asks to show of the thinking, and what people will see. */
export interface ThinkingView extends Pick<ThinkingPlan, "show" | "visible" | "visibleReason"> {
  readonly notes: readonly Note[];
}

export const showWords = "true false auto concise detailed brief";
/** What `showThinking` may be, and what it comes to. */
export const showStyles: ReadonlyMap<unknown, ShowThinking> = new Map<unknown, ShowThinking>([
  [true, "auto"],
  [false, false],
  ["auto", "auto"],
  ["concise", "concise"],
  ["brief", "concise"],
  ["detailed", "detailed"],
]);

const hidden = (reason: string, notes: readonly Note[] = []): ThinkingView => ({
  show: false,
  visible: "nothing",
  visibleReason: reason,
  notes,
});

/** The o-series and the first gpt-5 refuse `concise`. */
const takesConcise = (model: Model): boolean =>
  !isOpenaiReasoner(model) || (model.generation !== "o" && model.generation !== "5");

/** Whether a model does not think when nothing is sent about thinking. */
export const isOffByDefault = ({ thinking, defaultThinking }: Model): boolean =>
  thinking.kind === "none" || defaultThinking === "off" || defaultThinking === "none";

const whyOff = (model: Model, setting: ThinkingSetting): string | undefined => {
  if (model.thinking.kind === "none") return "this model does not think";
  if (setting.type === "default" && isOffByDefault(model))
    return "thinking is off unless asked for";
  return setting.type === "off" && setting.form !== "between_tools" ? "thinking is off" : undefined;
};

/** Chat servers show thinking unasked; the Responses API when a style of summary is named. */
const showsAtDefault = ({ wire }: Model, style: ShowThinking): boolean => {
  const { showsUnasked } = traitsOf[wire];
  return showsUnasked === "always" || (showsUnasked === "styled" && style !== "auto");
};

/** Chooses what to ask the service to show, and describes what people will see. */
export const chooseView = (
  model: Model,
  setting: ThinkingSetting,
  ask: ThinkingAsk,
): ThinkingView => {
  const { showThinking = true } = ask;
  const style = showStyles.get(showThinking);
  if (style === undefined) {
    throw invalidArgument("showThinking", showThinking, showWords);
  }
  const off = whyOff(model, setting);
  if (off !== undefined) return hidden(off);
  if (style === false) return hidden("not asked for");
  if (model.shows === "nothing") {
    const why = isOpenaiReasoner(model)
      ? "OpenAI reports only a token count here"
      : "the service does not show it";
    return hidden(why, [info("summary-hidden", `Thinking of ${model.id} stays hidden: ${why}.`)]);
  }
  if (setting.type === "default" && !showsAtDefault(model, style)) {
    return hidden("auto sends nothing about thinking, and the service then shows none");
  }
  const plain = style === "concise" && !takesConcise(model);
  const message = `${model.id} has no concise summaries: auto is sent.`;
  return {
    show: plain ? "auto" : style,
    visible: model.shows,
    notes: plain ? [info("summary-style", message)] : [],
  };
};
