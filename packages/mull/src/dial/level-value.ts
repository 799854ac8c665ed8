import type { Level } from "../types/level.ts";
import type { Effort, GoogleLevel, LevelValue, Model, ThinkingTraits } from "../types/model.ts";
import { efforts, googleLevels } from "../types/model.ts";

/** Every level but `auto`, which leaves the choice to the service. */
export type SetLevel = Exclude<Level, "auto">;

/** Thirds of a budget range. */
const weights: Readonly<Record<SetLevel, number>> = {
  none: 0,
  min: 0,
  low: 1,
  med: 2,
  high: 3,
  max: 3,
};

export const effortOf: Readonly<Record<SetLevel, Effort>> = {
  none: "none",
  min: "minimal",
  low: "low",
  med: "medium",
  high: "high",
  max: "max",
};

export const googleLevelOf: Readonly<Record<SetLevel, GoogleLevel>> = {
  none: "MINIMAL",
  min: "MINIMAL",
  low: "LOW",
  med: "MEDIUM",
  high: "HIGH",
  max: "HIGH",
};

/** The wanted step if it is offered, else the nearest lower one, else the lowest. */
export const nearestOffered = <T>(order: readonly T[], offered: readonly T[], wanted: T): T => {
  const steps = order.filter((step) => offered.includes(step));
  const below = steps.filter((step) => order.indexOf(step) <= order.indexOf(wanted));
  return below.at(-1) ?? steps[0] ?? wanted;
};

type Traits<K extends ThinkingTraits["kind"]> = Extract<ThinkingTraits, { kind: K }>;

const budgetValue = ({ min, max, leastOn }: Traits<"budget">, level: SetLevel): LevelValue => ({
  kind: "budget",
  tokens: level === "min" ? (leastOn ?? min) : min + Math.trunc((weights[level] * (max - min)) / 3),
});

/** Off is no effort at all on Claude and the word `none` on OpenAI. Some models cannot be off. */
const effortValue = (traits: Traits<"effort">, level: SetLevel): LevelValue => {
  const words = traits.efforts.filter((word) => word !== "none");
  if (level === "none" && traits.off === "effort-none") return { kind: "effort", effort: "none" };
  if (level === "none" && traits.off !== "never") return { kind: "none" };
  return { kind: "effort", effort: nearestOffered(efforts, words, effortOf[level]) };
};

/** The value of a level on a model, before limits are applied. */
export const levelValue = (model: Model, level: Level): LevelValue => {
  const { thinking } = model;
  if (level === "auto" || thinking.kind === "none") return { kind: "none" };
  const explicit = model.map?.[level];
  if (explicit !== undefined) return explicit;
  if (thinking.kind === "budget") return budgetValue(thinking, level);
  if (thinking.kind === "effort") return effortValue(thinking, level);
  if (thinking.kind === "switch") {
    return { kind: "switch", on: level !== "none" || thinking.off === "never" };
  }
  return {
    kind: "level",
    level: nearestOffered(googleLevels, thinking.levels, googleLevelOf[level]),
  };
};
