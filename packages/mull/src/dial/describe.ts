import { providerName } from "../catalogue/find-model.ts";
import { invalidArgument, requireObject } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Effort } from "../types/model.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import { traitsOf } from "../wire/traits.ts";
import { grouped, levelWord, settingWords } from "./words.ts";

/** What `describePlan` adds or leaves out. */
export interface DescribeOptions {
  /** Append the plan's notes after an empty line. */
  readonly notes?: boolean;
  /** `false`: the first line begins with `To` instead of `Switched to`. */
  readonly switched?: boolean;
}

const cannotDisable = "⚠ This model does not support disabling thinking";
const shareOfOutput: Partial<Readonly<Record<Effort, string>>> = {
  low: "~20%",
  medium: "~50%",
  high: "~80%",
};

const isOpenai = (plan: ThinkingPlan): boolean => providerName(plan.provider) === "OpenAI";
const isFallback = (plan: ThinkingPlan): boolean =>
  plan.notes.some((note) => note.code === "cannot-disable");
const isOffForTools = (plan: ThinkingPlan): boolean =>
  plan.notes.some((note) => note.code === "chat-tools-effort");
const isUnthinking = (plan: ThinkingPlan): boolean =>
  plan.setting.type === "default" && plan.asked !== "auto" && plan.applied === "none";

/** `medium` is a model's own default; any other floor is its minimum. */
const floorWord = (plan: ThinkingPlan): string =>
  plan.setting.type === "effort" && plan.setting.effort === "medium" ? "default" : "minimum";

const effortLine = (plan: ThinkingPlan, effort: Effort): string => {
  const share = isOpenai(plan) ? shareOfOutput[effort] : undefined;
  if (isFallback(plan)) return `${effort} effort (${floorWord(plan)})`;
  return `${effort} effort${share === undefined ? "" : ` (${share} of output budget)`}`;
};

const budgetLine = (plan: ThinkingPlan, sent: number): string => {
  if (isFallback(plan)) return `${grouped(sent)} tokens (minimum)`;
  if (plan.askedBudget !== undefined) return `custom (${grouped(plan.askedBudget)} tokens)`;
  const meant = plan.mapped.kind === "budget" ? plan.mapped.tokens : sent;
  return `${levelWord(plan.asked)} (${grouped(meant)} tokens)`;
};

const thinkingLine = (plan: ThinkingPlan): string => {
  const { setting } = plan;
  if (setting.type === "effort") return effortLine(plan, setting.effort);
  if (setting.type === "level") {
    return `${setting.level} level${isFallback(plan) ? " (minimum)" : ""}`;
  }
  if (setting.type === "budget") return budgetLine(plan, setting.tokens);
  if (setting.type === "on") return isFallback(plan) ? "on (minimum)" : "on";
  if (setting.type === "off")
    return isOffForTools(plan) ? "off (this API takes tools only without thinking)" : "off";
  return isUnthinking(plan) ? "not supported by this model" : "auto (provider default)";
};

/** The number that goes out, if the answer's room or a long conversation changed it. */
const sentLine = ({ setting, mapped, askedBudget }: ThinkingPlan): readonly string[] => {
  const meant = askedBudget ?? (mapped.kind === "budget" ? mapped.tokens : undefined);
  return setting.type === "budget" && meant !== undefined && setting.tokens !== meant
    ? [`  Sent: ${grouped(setting.tokens)} tokens`]
    : [];
};

/** A ref or a receipt in its place would be described as a plan that says nothing. */
function requirePlan(plan: ThinkingPlan): void {
  if (isJsonObject(plan) && isJsonObject(plan.setting) && Array.isArray(plan.notes)) return;
  throw invalidArgument("plan", plan, "what planThinking returns, or the plan of a receipt");
}

/** The plan as several lines of text: the model, then indented lines about level, sending and room. */
export const describePlan = (
  plan: ThinkingPlan,
  options: DescribeOptions = {},
): readonly string[] => {
  requirePlan(plan);
  requireObject("options", options, "an object");
  const fallback = isFallback(plan);
  const api =
    isOpenai(plan) && plan.setting.type === "effort" && !fallback
      ? traitsOf[plan.wire].api
      : undefined;
  const notes = options.notes ? plan.notes.map((note) => `  ${note.message}`) : [];
  return [
    `${options.switched === false ? "To" : "✓ Switched to"} ${providerName(plan.provider)} ${plan.model}${api ? ` (${api.name})` : ""}`,
    ...(fallback ? [`  ${cannotDisable}`] : []),
    `  Thinking: ${thinkingLine(plan)}`,
    ...sentLine(plan),
    ...(api ? [`  Recommended output buffer: ${grouped(api.advisedRoom)} tokens`] : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ];
};

/** One line about what is sent: `sends effort medium · summary · answer 8,192 tokens`. */
export const describeSending = (plan: ThinkingPlan): string => {
  requirePlan(plan);
  const seen = plan.visible === "nothing" ? "not shown" : plan.visible;
  const thinks = plan.setting.type !== "off" && !isUnthinking(plan);
  const room = plan.answerRoom === undefined ? [] : [`answer ${grouped(plan.answerRoom)} tokens`];
  return [`sends ${settingWords(plan.setting)}`, ...(thinks ? [seen] : []), ...room].join(" · ");
};

/** The level as it takes effect on the model: `none → low`, or the level alone if it is honoured. */
export const describeLevel = (plan: ThinkingPlan): string => {
  requirePlan(plan);
  return plan.applied === plan.asked ? plan.asked : `${plan.asked} → ${plan.applied}`;
};

/** One line about the output cap: `answer 8,192 · thinking 8,192 more, one cap of 16,384`. */
export const describeRoom = (plan: ThinkingPlan): string => {
  requirePlan(plan);
  const { answerRoom, thinkingRoom, maxOutputTokens } = plan;
  if (answerRoom === undefined || maxOutputTokens === undefined) return "no cap is sent";
  if (thinkingRoom === undefined || thinkingRoom === 0) return `answer ${grouped(answerRoom)}`;
  return `answer ${grouped(answerRoom)} · thinking ${grouped(thinkingRoom)} more, one cap of ${grouped(maxOutputTokens)}`;
};
