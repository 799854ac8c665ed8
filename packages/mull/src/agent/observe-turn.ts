import type { ChatTarget } from "../chat/compose.ts";
import { teller } from "../chat/observe.ts";
import type { Observe } from "../types/observation.ts";
import type { AgentOptions } from "./options.ts";
import type { AgentTurn, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";

/** What happens to a request of a step says which. */
export const observeStep = (
  { observe }: AgentOptions,
  turnId: string,
  step: number,
): Observe | undefined => observe && ((observation) => observe({ ...observation, turnId, step }));

/** The turn as it is, told of: its start, its steps and fallbacks, its end. */
export async function* observeTurn(
  events: AgentTurn,
  { provider, model, level = "auto" }: ChatTarget,
  options: AgentOptions,
  { turn, receipts }: TurnHandle,
): AgentTurn {
  const tell = teller(options, { turnId: turn });
  tell?.({ type: "turn-start", provider: provider.id, model: model.id, level });
  let failure: { readonly error?: unknown } = {};
  try {
    return yield* tell === undefined ? events : tellSteps(events, options, turn);
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    tell?.({ type: "turn-end", receipts, ...failure });
  }
}

async function* tellSteps(events: AgentTurn, options: AgentOptions, turn: string): AgentTurn {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    for (const event of value) tellStep(event, options, turn);
    let isRead = false;
    try {
      yield value;
      isRead = true;
    } finally {
      if (!isRead) await events.return(undefined);
    }
  }
}

function tellStep(event: AgentEvent, options: AgentOptions, turn: string): void {
  if (event.type !== "step" && event.type !== "fallback") return;
  const tell = teller(options, { turnId: turn, step: event.step });
  if (event.type === "step") tell?.({ type: "step", receipt: event.result.receipt });
  else tell?.({ type: "fallback", failed: event.failed, next: event.next });
}
