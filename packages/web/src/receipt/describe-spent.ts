import { formatCost } from "../format.ts";
import type { ThreadTurn } from "../thread/read-turn.ts";

/** What a turn cost: `$0.0121`, `at least ~$0.0043`; nothing if that is not known. */
function describePrice({ facts, steps }: ThreadTurn): string | undefined {
  const { cost, usage } = facts;
  if (cost === undefined) return undefined;
  const isGuess = usage?.estimated === true;
  const isMore = isGuess || steps.some((step) => step.cost === undefined);
  return `${isMore ? "at least " : ""}${isGuess ? "~" : ""}${formatCost(cost)}`;
}

/** The same with how the turn ended, where it was cut: `stopped · at least ~$0.0043`. */
export function describeSpent(turn: ThreadTurn): string | undefined {
  const { state } = turn.facts;
  const price = describePrice(turn);
  return price !== undefined && (state === "stopped" || state === "failed")
    ? `${state} · ${price}`
    : price;
}

/** Why a stopped turn has no answer, and what it cost anyway. */
export function describeEmptyStop(turn: ThreadTurn): string {
  const price = describePrice(turn);
  return `Stopped before anything arrived${price === undefined ? "" : `; it cost ${price}`}.`;
}
