import { invalidArgument } from "../types/error.ts";
import type { Level } from "../types/level.ts";
import type { WireId } from "../types/message.ts";
import type { Model, ThinkingTraits } from "../types/model.ts";
import type { ChatRequest } from "../types/request.ts";
import { traitsOf } from "../wire/traits.ts";
import { parseLevel } from "./level.ts";
import { grouped } from "./words.ts";

/** The wishes about thinking in a request. A forced choice that the model refuses while it thinks is changed, with a note. */
export interface ThinkingAsk extends Pick<
  ChatRequest,
  "level" | "thinkingBudget" | "maxOutputTokens" | "showThinking" | "toolChoice"
> {
  /** A thinking budget in Anthropic's form. It must stay below `maxOutputTokens`. */
  readonly thinking?:
    | { readonly type: "enabled"; readonly budgetTokens: number }
    | { readonly type: "disabled" }
    | undefined;
  /** Tokens of the conversation so far. */
  readonly contextTokens?: number | undefined;
  /** The wire it is sent on, if that is not the model's own. */
  readonly wire?: WireId | undefined;
  readonly hasTools?: boolean | undefined;
}

/** The checked wishes about thinking. `budget` wins over `level`. */
export interface ThinkingWish {
  readonly level: Level;
  readonly budget?: number;
}

const rangeOf = (thinking: ThinkingTraits): { min: number; max: number } | undefined => {
  if (thinking.kind === "budget") return thinking;
  return thinking.kind === "effort" || thinking.kind === "switch" ? thinking.budget : undefined;
};

/** The smallest and largest explicit budget a model takes; `undefined` if it takes none. */
export const budgetRange = (
  model: Model,
): { readonly min: number; readonly max: number } | undefined => {
  const range = rangeOf(model.thinking);
  if (range === undefined) return undefined;
  const { needsCap } = traitsOf[model.wire];
  return {
    min: range.min,
    max: needsCap && model.outputCap !== undefined ? model.outputCap - 1 : range.max,
  };
};

const checkCount = (field: string, value: number | undefined, least: number): void => {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
    throw invalidArgument(field, value, `a whole number of tokens, at least ${least}`);
  }
};

const checkBudget = (model: Model, field: string, budget: number): void => {
  checkCount(field, budget, 0);
  if (model.thinking.kind === "none") {
    throw invalidArgument(field, budget, `no budget at all, ${model.id} does not think`);
  }
  const range = budgetRange(model);
  if (range === undefined || (budget === 0 && isZeroOff(model))) return;
  if (budget < range.min || budget > range.max) {
    const allowed = `${grouped(range.min)} to ${grouped(range.max)} tokens on ${model.id}`;
    throw invalidArgument(field, budget, allowed);
  }
};

const isZeroOff = ({ thinking }: Model): boolean =>
  thinking.kind === "budget" && thinking.off === "budget-zero";

/** Reads and checks the wishes about thinking. */
export const readWish = (model: Model, ask: ThinkingAsk): ThinkingWish => {
  const level = parseLevel(ask.level ?? "auto");
  checkCount("maxOutputTokens", ask.maxOutputTokens, 1);
  checkCount("contextTokens", ask.contextTokens, 0);
  if (ask.thinkingBudget !== undefined) {
    checkBudget(model, "thinkingBudget", ask.thinkingBudget);
    return budgetWish(level, ask.thinkingBudget);
  }
  if (ask.thinking === undefined) return { level };
  if (ask.thinking.type === "disabled") return { level: "none" };
  const { budgetTokens } = ask.thinking;
  checkBudget(model, "thinking.budgetTokens", budgetTokens);
  if (ask.maxOutputTokens !== undefined && budgetTokens >= ask.maxOutputTokens) {
    const allowed = `less than maxOutputTokens, ${grouped(ask.maxOutputTokens)}`;
    throw invalidArgument("thinking.budgetTokens", budgetTokens, allowed);
  }
  return budgetWish(level, budgetTokens);
};

const budgetWish = (level: Level, budget: number): ThinkingWish =>
  budget === 0 ? { level: "none" } : { level, budget };
