import type { Model, ThinkingSetting } from "mull";

/** How hard the model thinks, from 0 (not at all) to 6. */
export type Depth = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const words = new Map<string, Depth>([
  ["off", 0],
  ["none", 0],
  ["minimal", 1],
  ["low", 2],
  ["medium", 3],
  ["on", 3],
  ["dynamic", 3],
  ["high", 4],
  ["xhigh", 5],
  ["max", 6],
]);

const budgetSteps = [2_048, 12_000, 24_000, 40_000, 56_000] as const;

const depthOfBudget = (tokens: number): Depth => {
  if (tokens === 0) return 0;
  if (tokens < 0) return 3;
  const step = budgetSteps.findIndex((limit) => tokens <= limit);
  return (step === -1 ? 6 : step + 1) as Depth;
};

/** The depth that a request asks for on a model. A model that cannot turn thinking off stays at its lowest depth. */
export const depthOf = (setting: ThinkingSetting, model: Model): Depth => {
  if (model.thinking.kind === "none") return 0;
  switch (setting.type) {
    case "default":
      return words.get((model.defaultThinking ?? "on").toLowerCase()) ?? 3;
    case "off":
      return 0;
    case "on":
      return 3;
    case "budget":
      return depthOfBudget(setting.tokens);
    case "effort":
      return words.get(setting.effort) ?? 3;
    case "level":
      return words.get(setting.level.toLowerCase()) ?? 3;
    default:
      return setting satisfies never;
  }
};

const sentences: Readonly<Record<Depth, number>> = { 0: 0, 1: 1, 2: 2, 3: 4, 4: 7, 5: 11, 6: 15 };

/** Sentences of review, for requests that ask for more thinking. */
const reviews: readonly string[] = [
  "Let me check that against the question once more.",
  "The units agree on both sides.",
  "A rough estimate gives the same order of magnitude.",
  "Working backwards from the result leads to the numbers given.",
  "There is no hidden condition in the wording that changes this.",
  "I considered whether another reading of the question is likelier; it is not.",
  "An extreme case behaves as it should.",
  "No step relies on a value that was not given.",
  "The shortest way to say it is also the clearest.",
  "Rounding does not matter at this precision.",
  "Nothing said earlier contradicts it.",
  "I could show the steps, but the answer alone is what was asked for.",
  "One more pass over the steps finds no slip.",
  "I am confident enough to answer.",
];

/** The visible reasoning: the steps that matter, then as much review as the depth allows. */
export const reason = (steps: readonly string[], depth: Depth): string =>
  [...steps, ...reviews].slice(0, sentences[depth]).join(" ");
