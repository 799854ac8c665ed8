import { onWire } from "../vendors/on-wire.ts";
import type { Level } from "../types/level.ts";
import type { Model } from "../types/model.ts";
import type { ThinkingPlan, ThinkingSetting } from "../types/plan.ts";
import type { ThinkingAsk, ThinkingWish } from "./ask.ts";
import { readWish } from "./ask.ts";
import { allowTools, chooseSetting, stepOfBudget } from "./choose.ts";
import { levelValue } from "./level-value.ts";
import { fitRoom } from "./room.ts";
import { settleToolChoice } from "./tool-choice.ts";
import { chooseView } from "./view.ts";
import { levelOfEffort, levelOfGoogle, modelNotes } from "./words.ts";

const budgetSteps: readonly Level[] = ["min", "low", "med", "high"];

/** The level whose budget is nearest; a budget that gave way a little to the answer keeps its name. */
const levelOfBudget = (model: Model, tokens: number): Level => {
  if (model.thinking.kind !== "budget") return levelOfEffort[stepOfBudget(tokens)[0]];
  let nearest: Level = "min";
  let distance = Number.POSITIVE_INFINITY;
  for (const level of budgetSteps) {
    const value = levelValue(model, level);
    const off = value.kind === "budget" ? Math.abs(value.tokens - tokens) : distance;
    if (off < distance) [nearest, distance] = [level, off];
  }
  return nearest;
};

const appliedLevel = (model: Model, wish: ThinkingWish, setting: ThinkingSetting): Level => {
  if (setting.type === "off") return "none";
  if (setting.type === "effort") return levelOfEffort[setting.effort];
  if (setting.type === "level") return levelOfGoogle[setting.level];
  if (setting.type === "budget") return levelOfBudget(model, setting.tokens);
  if (setting.type === "on")
    return wish.level === "none" || wish.level === "auto" ? "min" : wish.level;
  return model.thinking.kind === "none" && wish.level !== "auto" ? "none" : "auto";
};

/** Decides everything about thinking in a request. Its notes name the vendor. */
export const solveThinking = (
  row: Model,
  ask: ThinkingAsk,
  vendor: string = row.provider,
): ThinkingPlan => {
  const model = onWire(row, ask.wire);
  const wish = readWish(model, ask);
  const chosen = chooseSetting(model, wish);
  const choice = ask.hasTools ? allowTools(model, chosen) : chosen;
  const fitted = fitRoom(model, choice, wish, ask);
  const { setting, maxOutputTokens, answerRoom, thinkingRoom } = fitted;
  const view = chooseView(model, setting, ask);
  const tools = settleToolChoice(model, { wire: model.wire, setting }, ask);
  return {
    model: model.id,
    provider: model.provider,
    wire: model.wire,
    asked: wish.level,
    ...(wish.budget !== undefined && { askedBudget: wish.budget }),
    mapped: levelValue(model, wish.level),
    applied: appliedLevel(model, wish, setting),
    setting,
    show: view.show,
    visible: view.visible,
    ...(view.visibleReason !== undefined && { visibleReason: view.visibleReason }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(answerRoom !== undefined && { answerRoom }),
    ...(thinkingRoom !== undefined && { thinkingRoom }),
    notes: [...modelNotes(model, vendor), ...fitted.notes, ...view.notes, ...tools.notes],
  };
};
