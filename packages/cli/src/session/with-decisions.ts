import {
  MullError,
  sumReceipts,
  type Agent,
  type AgentEvent,
  type AgentStream,
  type Decision,
  type PendingCall,
  type Receipt,
  type SendTurnOptions,
} from "mull";

/** Asks a person about one call. If the signal stops the turn, it decides without. */
export type Decide = (pending: PendingCall, signal: AbortSignal) => Promise<Decision>;

/** A turn with everything that came before and after its pauses. */
export interface DecidedTurn {
  readonly events: AsyncGenerator<AgentEvent, void>;
  readonly receipts: () => readonly Receipt[];
}

/** Goes through a turn and its pauses as one: each call that waits is decided, then the turn goes on. */
export function withDecisions(
  agent: Agent,
  first: AgentStream,
  decide: Decide,
  options: SendTurnOptions & { readonly signal: AbortSignal },
): DecidedTurn {
  const before: Receipt[] = [];
  let stream = first;
  async function* events(): AsyncGenerator<AgentEvent, void> {
    for (;;) {
      let pending: readonly PendingCall[] = [];
      for await (const { event } of stream) {
        if (event.type !== "turn") yield event;
        else if (event.result.pending === undefined) yield whole(event, before);
        else pending = event.result.pending;
      }
      if (pending.length === 0) return;
      before.push(...stream.receipts());
      for (const each of pending) {
        // A turn that is stopped leaves no call open: the model is told why it did not run.
        const decision = options.signal.aborted ? unasked : await decide(each, options.signal);
        agent.decide(each.call.id, decision);
      }
      if (options.signal.aborted) throw stopped();
      stream = agent.resumeStream(options);
    }
  }
  return { events: events(), receipts: () => [...before, ...stream.receipts()] };
}

const unasked: Decision = { refuse: "the turn was stopped before anyone approved" };

type TurnEvent = Extract<AgentEvent, { type: "turn" }>;

/** What the turn took before its pauses belongs to its end as well. */
const whole = (event: TurnEvent, before: readonly Receipt[]): TurnEvent => {
  if (before.length === 0) return event;
  const receipts = [...before, ...event.result.receipts];
  return { ...event, result: { ...event.result, ...sumReceipts(receipts), receipts } };
};

/** What a person who stops a turn while a call waits makes of it. */
export const stopped = (): MullError =>
  new MullError("The turn was stopped while a call waited for a decision.", {
    category: "aborted",
    code: "aborted",
  });
