import { describeLevel, type ThinkingPlan } from "mull";
import { grouped } from "mull/wire";

/** What a stop of the dial does on this model, e.g. `high: thinks up to 32,000 tokens`. */
export const levelMeaning = (plan: ThinkingPlan): string =>
  `${plan.asked === "auto" ? "auto" : describeLevel(plan)}: ${whatItDoes(plan)}`;

/** The same without the name of the stop: `thinks up to 32,000 tokens`. */
export function whatItDoes({ asked, setting, thinkingRoom }: ThinkingPlan): string {
  const most = thinkingRoom ? `thinks up to ${grouped(thinkingRoom)} tokens` : undefined;
  const at = (word: string): string =>
    most === undefined ? `thinks at ${word}` : `${most} (${word})`;
  switch (setting.type) {
    case "off":
      return "answers without thinking";
    case "budget":
      return `thinks up to ${grouped(setting.tokens)} tokens`;
    case "effort":
      return at(`effort ${setting.effort}`);
    case "level":
      return at(`level ${setting.level.toLowerCase()}`);
    case "on":
      return most ?? "thinks";
    case "default":
      return asked === "auto" ? "the model decides how much it thinks" : "nothing to set here";
    default:
      return setting satisfies never;
  }
}
