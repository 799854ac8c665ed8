import { teller } from "../chat/observe.ts";
import { stopped } from "../transport/failure.ts";
import type { ToolCallPart, ToolResultPart } from "../types/message.ts";
import { openCalls, undecided, whyWaiting, withResults, type PendingCall } from "./open-calls.ts";
import type { AgentOptions } from "./options.ts";
import { runTools } from "./run-tools.ts";
import type { AgentState, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";

export const maxResultBytes = ({ maxToolResultBytes = 262_144 }: AgentOptions): number =>
  maxToolResultBytes;

/** Those of some calls that wait for a decision. `isFresh`: the model has just made them. */
export async function findPending(
  { tools, decided }: AgentState,
  calls: readonly ToolCallPart[],
  isFresh: boolean,
): Promise<readonly PendingCall[]> {
  const pending = await Promise.all(
    calls.map(async (call) => {
      const why = decided.has(call.id)
        ? undefined
        : await whyWaiting(call, tools.get(call.name), isFresh);
      return why === undefined ? [] : [{ call, why }];
    }),
  );
  return pending.flat();
}

/** Runs the calls that may run; an event tells of those that wait for a decision. Returns these. */
export async function* runCalls(
  state: AgentState,
  calls: readonly ToolCallPart[],
  options: AgentOptions,
  handle: TurnHandle,
  step: number,
): AsyncGenerator<AgentEvent[], readonly PendingCall[], undefined> {
  const pending = await findPending(state, calls, true);
  const ready = calls.filter((call) => !pending.some((each) => each.call === call));
  if (ready.length > 0) yield* runReady(state, ready, options, handle, step);
  if (pending.length > 0) yield [{ type: "approval", step, pending }];
  return pending;
}

/** Runs the calls that a history was left with. Refuses before anything runs where one is undecided. */
export async function* runOpenCalls(
  state: AgentState,
  options: AgentOptions,
  handle: TurnHandle,
): AsyncGenerator<AgentEvent[], void, undefined> {
  const calls = openCalls(state.history);
  const pending = await findPending(state, calls, false);
  if (pending.length > 0) throw undecided(pending);
  const told = state.settled.splice(0);
  if (told.length > 0) yield told.map((result) => ({ type: "tool-result", step: 0, result }));
  if (calls.length > 0) yield* runReady(state, calls, options, handle, 0);
}

async function* runReady(
  state: AgentState,
  calls: readonly ToolCallPart[],
  options: AgentOptions,
  handle: TurnHandle,
  step: number,
): AsyncGenerator<AgentEvent[], void, undefined> {
  const { signal } = handle.stop;
  const { observe } = options;
  const tell = teller(options, { turnId: handle.turn, step });
  const arrived: AgentEvent[] = [];
  const left = new Map(calls.map((call) => [call.id, call]));
  let wake: (() => void) | undefined;
  const running = runTools(calls, state.tools, {
    signal,
    concurrency: options.toolConcurrency ?? 8,
    timeoutMs: options.toolTimeoutMs ?? 120_000,
    maxResultBytes: maxResultBytes(options),
    around:
      observe?.around &&
      ((call, run) => observe.around?.({ call, turnId: handle.turn, step }, run)),
    onStart: (at) => tell?.({ type: "tool-start", call: calls[at]! }),
    onResult: (result, at) => {
      tell?.({ type: "tool-end", call: calls[at]!, result });
      if (!left.delete(result.callId)) return;
      arrived.push({ type: "tool-result", step, result });
      // At once: what a tool has done must not be forgotten, even when the agent is saved right now.
      state.history = withResults(state.history, [result]);
      wake?.();
    },
  });
  try {
    for (let seen = 0; seen < calls.length;) {
      if (arrived.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const came = arrived.splice(0);
      seen += came.length;
      yield came;
    }
    await running;
  } finally {
    state.history = withResults(state.history, [...left.values()].map(interrupted));
    left.clear();
  }
  if (signal.aborted) throw stopped("The turn was stopped while tools ran.", signal.reason);
}

const interrupted = (call: ToolCallPart): ToolResultPart => ({
  type: "tool-result",
  callId: call.id,
  name: call.name,
  output: "Interrupted: the turn ended before this call did.",
  isError: true,
});
