import { providerName } from "../catalogue/find-vendor.ts";
import { checkNames } from "../types/check-names.ts";
import type { Model } from "../types/model.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import { requireObject } from "../types/error.ts";
import type { ThinkingAsk } from "./ask.ts";
import { rowOf } from "./row-of.ts";
import { solveThinking } from "./solve.ts";

/** What `planThinking` plans for: a model, and the wishes about thinking. */
export interface PlanAsk extends ThinkingAsk {
  /** A row, an id, or a ref such as `claude-opus-5-5/high`; its level counts where none is given. */
  readonly model: Model | string;
}

const askFields: Readonly<Record<keyof PlanAsk, true>> = {
  model: true,
  level: true,
  thinkingBudget: true,
  thinking: true,
  maxOutputTokens: true,
  showThinking: true,
  contextTokens: true,
  wire: true,
  hasTools: true,
  toolChoice: true,
};

/**
 * Plans thinking for a model: what is sent, the output cap that leaves room for the answer, what
 * people will see, and a note for every difference from the wish. Refuses bad input.
 */
export const planThinking = (ask: PlanAsk): ThinkingPlan => {
  requireObject("ask", ask, "an object with model and, as wanted, level");
  checkNames("ask", ask, askFields);
  const { model, level = "auto" } = rowOf(ask.model);
  return solveThinking(model, { ...ask, level: ask.level ?? level }, providerName(model.provider));
};
