import {
  describeLevel,
  describeSending,
  isMullError,
  levels,
  planThinking,
  type Level,
  type Model,
  type ThinkingPlan,
} from "mull";

/** A position of the dial on a model. */
export interface Stop {
  readonly level: Level;
  /** The model has this very step; a hollow one leads elsewhere. */
  readonly isHonoured: boolean;
  /** `low`, or `none → low`. */
  readonly leads: string;
}

/** The plan of a model at a level; what cannot be planned says why. */
type LevelPlan =
  | { readonly plan: ThinkingPlan }
  | { readonly plan?: undefined; readonly refusal: string };

function planLevel(model: Model, level: Level): LevelPlan {
  try {
    return { plan: planThinking({ model, level }) };
  } catch (error) {
    if (!isMullError(error)) throw error;
    return { refusal: error.message };
  }
}

export const listStops = (model: Model): readonly Stop[] =>
  levels.map((level) => {
    const { plan } = planLevel(model, level);
    if (plan === undefined) return { level, isHonoured: false, leads: level };
    return { level, isHonoured: plan.applied === level, leads: describeLevel(plan) };
  });

/** More facts about the next message, below the plan. */
export interface Outlook {
  /** Sealed thoughts the chosen model may not read, by the model that made them. */
  readonly withheld: ReadonlyMap<string, number>;
  /** Tokens of the conversation that its present model has in its cache. */
  readonly cachedTokens: number;
  readonly isOtherModel: boolean;
  /** A turn is running, and this model can only finish it without thinking. */
  readonly isCutOff: boolean;
}

/** The line under the dial: what goes out, and what is worth a warning. */
export interface PlanLine {
  readonly sends: string;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

export function writePlanLine(model: Model, level: Level, outlook: Outlook): PlanLine {
  const planned = planLevel(model, level);
  if (planned.plan === undefined)
    return { sends: planned.refusal, warnings: [planned.refusal], notes: [] };
  const { plan } = planned;
  const warned = plan.notes.filter(({ severity }) => severity === "warning");
  const told = plan.notes.filter(({ severity }) => severity === "info");
  return {
    sends: describeSending(plan),
    warnings: [...(outlook.isCutOff ? [cutOff] : []), ...warned.map(({ message }) => message)],
    notes: [...told.map(({ message }) => message), ...switchNotes(model, outlook)],
  };
}

const cutOff =
  "From the next step of this turn thinking is off until the turn ends: it began on another model.";

function switchNotes(model: Model, outlook: Outlook): readonly string[] {
  const notes = [...outlook.withheld].map(([maker, count]) =>
    count === 1
      ? `1 sealed thought of ${maker} stays here, withheld until you go back.`
      : `${count} sealed thoughts of ${maker} stay here, withheld until you go back.`,
  );
  if (!outlook.isOtherModel || outlook.cachedTokens < 1024) return notes;
  const tokens = outlook.cachedTokens.toLocaleString("en-US");
  const price = model.price?.input;
  const cost =
    price === undefined ? "" : `, about $${((outlook.cachedTokens * price) / 1e6).toFixed(2)}`;
  return [...notes, `Next message re-reads ${tokens} cached tokens${cost}.`];
}
