import type { ChatResult } from "../chat/chat.ts";
import { checkServiceCompaction, type ChatTarget } from "../chat/compose.ts";
import { connect } from "../chat/connection.ts";
import { isMullError, MullError } from "../types/error.ts";
import type { FailedModel } from "../types/plan.ts";
import { askOnce } from "./ask-once.ts";
import type { TurnBudget } from "./held-budget.ts";
import type { AgentOptions, SendTurnOptions } from "./options.ts";
import { keepKeyHome } from "./request.ts";
import type { AgentState, Dial, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";

/** Who answers a turn: the model that was chosen, then one after another of those behind it. */
export interface Chain {
  /** What was chosen when the chain was made. */
  readonly chosen: ChatTarget;
  dial: Dial;
  rest: readonly ChatTarget[];
}

export const isSameModel = (one: ChatTarget, other: ChatTarget): boolean =>
  one.model.id === other.model.id && one.provider.id === other.provider.id;

/** Targets, because `Agent` has looked up refs by now, and `CoreAgent` takes none. */
const fallbackOf = ({ fallback = [] }: AgentOptions): readonly ChatTarget[] =>
  fallback.filter((each) => typeof each !== "string");

/** A fallback without a key, or one that cannot do what is asked, is told before anything is sent, not on the day of the outage. */
export function chainOf(state: AgentState, options: AgentOptions, dial: Dial): Chain {
  const rest = fallbackOf(options).filter((each) => !isSameModel(each, dial.target));
  for (const each of rest) {
    const { provider } = each;
    checkServiceCompaction(options, each);
    connect(provider, keepKeyHome(options, state.home, provider), options.fetch === undefined);
  }
  return { chosen: state.target, dial, rest };
}

/**
 * Asks for one step, and asks the next model where one fails in a way that another may mend. Who
 * answered stays in charge for the rest of the turn, so that an outage is waited for once.
 */
export async function* askStep(
  state: AgentState,
  chain: Chain,
  options: AgentOptions,
  turn: SendTurnOptions,
  handle: TurnHandle,
  { step, budget }: { readonly step: number; readonly budget: TurnBudget | undefined },
): AsyncGenerator<AgentEvent[], ChatResult, undefined> {
  const failed: FailedModel[] = [];
  try {
    for (;;) {
      const { dial } = chain;
      const [next, ...rest] = chain.rest;
      const ask = { dial, step, budget, failed, hasNext: next !== undefined };
      const outcome = yield* askOnce(state, ask, options, turn, handle);
      if (!("reason" in outcome)) return outcome;
      failed.push(outcome);
      chain.dial = { ...dial, target: next!, level: next!.level ?? dial.level };
      chain.rest = rest;
      yield [{ type: "fallback", step, failed: outcome, next: nameOf(next!) }];
    }
  } catch (error) {
    throw failed.length > 0 && isMullError(error) ? withBefore(error, failed) : error;
  }
}

const nameOf = ({ provider, model }: ChatTarget): Pick<FailedModel, "provider" | "model"> => ({
  provider: provider.id,
  model: model.id,
});

/** The last error, and who had failed before it. */
function withBefore(error: MullError, failed: readonly FailedModel[]): MullError {
  const before = failed.map(({ model, reason, error: what }) => `${model} (${reason}: ${what})`);
  return new MullError(
    `${error.message} Before that failed ${before.join(", ")}.`,
    Object.assign({}, error),
    { cause: error },
  );
}
