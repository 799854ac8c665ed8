import {
  costOf,
  estimateTokens,
  planThinking,
  type ChatTarget,
  type Level,
  type Message,
  type Tool,
} from "mull";
import type { Reservation } from "@mull/store";

/** A request that is about to be sent. */
export interface NextStep {
  readonly target: ChatTarget;
  /** Who answers when that one fails. */
  readonly fallback?: readonly ChatTarget[];
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly system?: string;
  /** Most tokens of the answer, if the caller chose. */
  readonly room?: number;
}

/** The most a request may cost, and how its cap shrinks. */
export interface StepCost extends Pick<Reservation, "input" | "output"> {
  /** What the plan reserves for thinking, besides the answer. */
  readonly thinking: number;
}

/** A shorter answer would be of no use. */
const leastAnswer = 256;
/** Assumed for models whose cap is unknown. */
const unknownCap = 32_768;
const million = 1_000_000;

/**
 * All of the input and the whole cap, by the dearest of the models that may answer: when the chosen
 * one fails, the next is asked at once. Unknown prices count as zero.
 */
export function costOfStep(step: NextStep): StepCost {
  const { target, fallback = [], tools, system = "" } = step;
  const around = JSON.stringify([system, tools.map(({ spec }) => spec)]);
  const tokens = estimateTokens([
    ...step.messages,
    { role: "user", parts: [{ type: "text", text: around }] },
  ]);
  const each = [target, ...fallback].map((one) =>
    costOfOne(one, one.level ?? target.level, step, tokens),
  );
  const most = (of: (cost: OneCost) => number): number => Math.max(...each.map(of));
  const thinking = most((one) => one.thinking);
  const wanted = most((one) => one.wanted);
  return {
    input: { tokens, cost: most((one) => one.input) },
    output: {
      wanted,
      least: Math.min(wanted, thinking + leastAnswer),
      costEach: most((one) => one.outputEach),
    },
    thinking,
  };
}

interface OneCost {
  readonly thinking: number;
  readonly wanted: number;
  /** Dollars for the whole input, and for each token of the answer. */
  readonly input: number;
  readonly outputEach: number;
}

function costOfOne(
  { model, provider }: ChatTarget,
  level: Level | undefined,
  { tools, room }: NextStep,
  tokens: number,
): OneCost {
  const capOf = (maxOutputTokens: number | undefined): number | undefined =>
    planThinking({
      model,
      wire: provider.wire.id,
      hasTools: tools.length > 0,
      contextTokens: tokens,
      ...(level !== undefined && { level }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    }).maxOutputTokens;
  const cost = costOf({ input: tokens, output: million }, model);
  return {
    thinking: Math.max(0, (capOf(leastAnswer) ?? leastAnswer) - leastAnswer),
    wanted: capOf(room) ?? model.outputCap ?? unknownCap,
    input: cost?.input ?? 0,
    outputEach: (cost?.output ?? 0) / million,
  };
}
