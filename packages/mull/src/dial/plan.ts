import { findModel } from "../catalogue/find-model.ts";
import type { Model } from "../types/model.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import type { ThinkingAsk } from "./ask.ts";
import { solveThinking } from "./solve.ts";

export interface PlanAsk extends ThinkingAsk {
  readonly model: Model | string;
}

/**
 * What an ask comes to on a model: what is sent, the output cap that keeps the answer's room, what
 * people will see, and a note for every difference. Refuses bad input before anything is sent.
 */
export const planThinking = ({ model, ...ask }: PlanAsk): ThinkingPlan =>
  solveThinking(typeof model === "string" ? findModel(model) : model, ask);
