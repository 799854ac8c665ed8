import { providerName, findModel } from "../catalogue/find-model.ts";
import { checkNames } from "../types/check-names.ts";
import type { Model, LevelValue } from "../types/model.ts";
import type { ThinkingPlan } from "../types/plan.ts";
import { requireObject, invalidArgument } from "../types/error.ts";
import type { ThinkingAsk } from "./ask.ts";
import { solveThinking } from "./solve.ts";
import { isJsonObject } from "../types/json.ts";
import type { Level } from "../types/level.ts";
import { parseModelRef } from "./ref.ts";
import { levelValue } from "./level-value.ts";
import { parseLevel } from "./level.ts";

/** What `planThinking` plans for: a model, and the wishes about thinking. */
export interface PlanAsk extends ThinkingAsk {
  /** A row, an id, or a ref such as `claude-opus-5-5/high`; its level counts if none is given. */
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

/** The model's row for a row, an id or a ref, and the level of a ref. */
function rowOf(model: Model | string): { readonly model: Model; readonly level?: Level } {
  if (typeof model !== "string") return { model: checkRow(model) };
  const { provider, name, level } = parseModelRef(model);
  return {
    model: findModel(name, provider === undefined ? {} : { provider }),
    ...(level !== undefined && { level }),
  };
}

function checkRow(model: Model): Model {
  if (isJsonObject(model) && isJsonObject(model.thinking)) return model;
  throw invalidArgument("model", model, "an id such as claude-opus-5-5, or what findModel returns");
}

/** What a level means on a model: a budget, an effort or a word. Takes the model's row or id. */
export const mapLevel = (model: Model | string, level: Level): LevelValue =>
  levelValue(rowOf(model).model, parseLevel(level));
