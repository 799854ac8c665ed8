import { formatCost } from "../format.ts";
import type { Turn } from "../thread/read-turn.ts";

/** What a turn cost: `$0.0121`, `stopped · at least ~$0.0043`; nothing where that is not known. */
export function describeSpent({ facts, steps }: Turn): string | undefined {
  const { cost, usage, state } = facts;
  if (cost === undefined) return undefined;
  const isGuess = usage?.estimated === true;
  const isMore = isGuess || steps.some((step) => step.cost === undefined);
  const price = `${isMore ? "at least " : ""}${isGuess ? "~" : ""}${formatCost(cost)}`;
  return state === "stopped" || state === "failed" ? `${state} · ${price}` : price;
}
