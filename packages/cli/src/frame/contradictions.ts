import type { Command, Given } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Stands for a word among the options of `excludes`. */
export const word = "WORD";

/** Options of which one would be passed over in silence. */
export function refuseContradictions(
  { excludes = [], needs = [] }: Pick<Command, "excludes" | "needs">,
  given: Given,
): void {
  const isGiven = (name: string): boolean =>
    name === word ? given.words.length > 0 : given.has(name);
  for (const [one, other] of excludes) {
    if (!isGiven(one) || !isGiven(other)) continue;
    const named = other === word ? JSON.stringify(given.words[0]) : `--${other}`;
    throw new UsageError(`--${one} and ${named} can't be used together.`, "Leave one of them out.");
  }
  for (const [one, others] of needs) {
    if (!isGiven(one) || others.some(isGiven)) continue;
    const ways = others.map((other) => `--${other}`).join(" or ");
    throw new UsageError(`--${one} does nothing without ${ways}.`);
  }
}
