import {
  costOf,
  estimateTokens,
  planThinking,
  type ChatTarget,
  type Message,
  type Tool,
} from "mull";
import type { Reservation } from "@mull/store";

/** A request that is about to be sent. */
export interface NextStep {
  readonly target: ChatTarget;
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

/** All of the input and the whole cap. Unknown prices count as zero. */
export function costOfStep(step: NextStep): StepCost {
  const { target, messages, tools, system = "", room } = step;
  const { model, level, provider } = target;
  const around = JSON.stringify([system, tools.map(({ spec }) => spec)]);
  const tokens = estimateTokens([
    ...messages,
    { role: "user", parts: [{ type: "text", text: around }] },
  ]);
  const capOf = (maxOutputTokens: number | undefined): number | undefined =>
    planThinking({
      model,
      wire: provider.wire.id,
      hasTools: tools.length > 0,
      contextTokens: tokens,
      ...(level !== undefined && { level }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    }).maxOutputTokens;
  const thinking = Math.max(0, (capOf(leastAnswer) ?? leastAnswer) - leastAnswer);
  const wanted = capOf(room) ?? model.outputCap ?? unknownCap;
  const cost = costOf({ input: tokens, output: million }, model);
  return {
    input: { tokens, cost: cost?.input ?? 0 },
    output: {
      wanted,
      least: Math.min(wanted, thinking + leastAnswer),
      costEach: (cost?.output ?? 0) / million,
    },
    thinking,
  };
}
