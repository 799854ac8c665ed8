import type { Level } from "../types/level.ts";
import type { LevelValue, Model } from "../types/model.ts";
import { levelValue } from "./level-value.ts";
import { parseLevel } from "./level.ts";
import { rowOf } from "./row-of.ts";

/** The value a level stands for on a model (a budget, an effort or a word), given the model's row or id. */
export const mapLevel = (model: Model | string, level: Level): LevelValue =>
  levelValue(rowOf(model).model, parseLevel(level));
