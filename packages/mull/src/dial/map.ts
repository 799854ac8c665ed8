import type { Level } from "../types/level.ts";
import type { LevelValue, Model } from "../types/model.ts";
import { levelValue } from "./level-value.ts";
import { parseLevel } from "./level.ts";
import { rowOf } from "./row-of.ts";

/** What a level means on a model, given as a row or by its id. */
export const mapLevel = (model: Model | string, level: Level): LevelValue =>
  levelValue(rowOf(model).model, parseLevel(level));
