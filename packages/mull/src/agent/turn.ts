import type { ChatHooks, ChatResult, ChatRun } from "../chat/chat.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { again, judge, retriesOf } from "../chat/object-run.ts";
import type { History } from "../history/history.ts";
import { teller } from "../chat/observe.ts";
import { onAbort } from "../transport/deadline.ts";
import { stopped } from "../transport/failure.ts";
import { isMullError } from "../types/error.ts";
import type { Finish, Reply } from "../types/event.ts";
import type { Level } from "../types/level.ts";
import type { Message, ToolCallPart, ToolResultPart, UserPart } from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { Provider } from "../types/provider.ts";
import { askStep, chainOf, isSameModel } from "./ask-step.ts";
import { budgetOf } from "./budget.ts";
import type { CachedPrompt } from "./cache-report.ts";
import type { AgentOptions, SendTurnOptions } from "./options.ts";
import {
  joinThinking,
  sumReceipts,
  textOf,
  thinkingBlocksOf,
  toReadable,
  type AgentResult,
} from "./result.ts";
import { runTools } from "./run-tools.ts";
import type { Tool } from "./tool.ts";
import type { AgentEvent } from "./turn-stream.ts";

/** The state of an agent. `use` may change target and level while a turn runs. */
export interface AgentState {
  target: ChatTarget;
  /** Who was asked the step that is under way. */
  answering: ChatTarget | undefined;
  level: Level;
  thinkingBudget: number | undefined;
  history: History;
  /** Who was asked when the options were given; an explicit key is for its address. */
  readonly home: Provider;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly hooks: ChatHooks;
  /** Providers that refuse this account summaries of thinking. */
  readonly withoutSummary: Set<string>;
  /** The last request that was answered, for what its prompt left in the cache. */
  cached: CachedPrompt | undefined;
  /** An emulator gave the last answer: whatever wraps its `fetch`, it may have its seals back. */
  isSimulated: true | undefined;
}

/** A running turn: what it has collected so far, and its outcome. */
export type AgentTurn = AsyncGenerator<AgentEvent[], AgentResult | undefined, undefined>;

/** What a turn shares with its starter. */
export interface TurnHandle {
  /** Aborted when nobody reads any more. */
  readonly stop: AbortController;
  /** Of the steps so far; one that broke off is there as soon as the service had begun it. */
  readonly receipts: Receipt[];
  /** The request that is under way. */
  asking: ChatRun | undefined;
  /** Whether somebody sees the answer as it comes, waits for all of it, or has gone. */
  reader: "reads" | "waits" | "gone";
  /** What observers know the turn by. */
  readonly turn: string;
}

/** What was asked of a model about thinking. It holds until the turn ends or another model takes over. */
export type Dial = Pick<AgentState, "target" | "level" | "thinkingBudget">;

/** What one turn asks wins over what the agent has; a level alone sets the agent's budget aside. */
const dialOf = (state: AgentState, turn: SendTurnOptions): Dial => ({
  target: state.target,
  level: turn.level ?? state.level,
  thinkingBudget:
    turn.thinkingBudget ?? (turn.level === undefined ? state.thinkingBudget : undefined),
});

/**
 * One turn: ask, run tools, ask again, until the answer. The history grows as parts are finished,
 * so whatever ends the turn leaves one that can be continued. A turn of which nothing came leaves
 * the history as it was.
 */
export async function* runTurn(
  state: AgentState,
  parts: readonly UserPart[] | undefined,
  options: AgentOptions,
  turn: SendTurnOptions,
  handle: TurnHandle,
): AgentTurn {
  const { stop, receipts } = handle;
  const before = state.history;
  let chain = chainOf(state, options, dialOf(state, turn));
  const budget = budgetOf(options);
  const unfollow = follow(stop, [options.signal, turn.signal]);
  let isWhole = false;
  const output = turn.output ?? options.output;
  let retriesLeft = output === undefined ? 0 : retriesOf(output);
  if (parts !== undefined) state.history = before.append({ role: "user", parts });
  try {
    const maxSteps = options.maxSteps ?? 50;
    for (let step = 0; step < maxSteps; step++) {
      if (!isSameModel(state.target, chain.chosen))
        chain = chainOf(state, options, dialOf(state, {}));
      const answer = yield* askStep(state, chain, options, turn, handle, { step, budget });
      yield [{ type: "step", step, result: answer }];
      const calls = runnableCalls(answer);
      if (calls.length === 0 && answer.finish.reason !== "pause") {
        const judged = output && (await judge(answer, output, retriesLeft--));
        if (judged === undefined || "object" in judged) {
          isWhole = true;
          return { ...finish(state, before, receipts, answer), ...judged };
        }
        state.history = state.history.append(again(judged.ask));
      }
      if (calls.length > 0) yield* answerCalls(state, calls, options, handle, step);
      if (await options.stopWhen?.({ steps: step + 1, last: answer, ...sumReceipts(receipts) })) {
        const end: Finish = { reason: "stop-when", note: "stopWhen ended the turn" };
        return finish(state, before, receipts, { finish: end });
      }
    }
    const end: Finish = { reason: "max-steps", note: `stopped after ${maxSteps} steps` };
    return finish(state, before, receipts, { finish: end });
  } catch (error) {
    // The first request is refused with an error: there is no result without an answer.
    if (!isMullError(error) || error.code !== "budget" || !hasAnswer(state, before)) throw error;
    const end: Finish = { reason: "budget", note: error.message };
    return finish(state, before, receipts, { finish: end });
  } finally {
    unfollow();
    // Nothing runs any more after a whole turn, and a reason to stop costs an error with its stack.
    if (!isWhole) stop.abort();
    if (!hasAnswer(state, before)) state.history = before;
  }
}

const hasAnswer = ({ history }: AgentState, before: History): boolean =>
  history.messages.slice(before.length).some(({ role }) => role === "assistant");

/** Whichever signal is first stops the turn. Returns how to let go of them: they may outlive it. */
function follow(stop: AbortController, signals: readonly (AbortSignal | undefined)[]): () => void {
  const unfollow = signals.map((signal) => {
    if (signal?.aborted) stop.abort(signal.reason);
    return signal && onAbort(signal, () => stop.abort(signal.reason));
  });
  return () => unfollow.forEach((each) => each?.());
}

const runnableCalls = (answer: Reply): readonly ToolCallPart[] =>
  answer.message.parts
    .filter((part) => part.type === "tool-call")
    .filter((part) => part.send !== false);

async function* answerCalls(
  state: AgentState,
  calls: readonly ToolCallPart[],
  options: AgentOptions,
  handle: TurnHandle,
  step: number,
): AsyncGenerator<AgentEvent[], void, undefined> {
  const { signal } = handle.stop;
  const tell = teller(options, { turnId: handle.turn, step });
  const arrived: AgentEvent[] = [];
  const results = calls.map(interrupted);
  let wake: (() => void) | undefined;
  const running = runTools(calls, state.tools, {
    signal,
    concurrency: options.toolConcurrency ?? 8,
    timeoutMs: options.toolTimeoutMs ?? 120_000,
    maxResultBytes: options.maxToolResultBytes ?? 262_144,
    onStart: (at) => tell?.({ type: "tool-start", call: calls[at]! }),
    onResult: (result, at) => {
      tell?.({ type: "tool-end", call: calls[at]!, result });
      arrived.push({ type: "tool-result", step, result });
      results[at] = result;
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
    // Also when the turn is left in between: what a tool has done must not be forgotten.
    state.history = state.history.append({ role: "tool", parts: results.slice() });
  }
  if (signal.aborted) throw stopped("The turn was stopped while tools ran.", signal.reason);
}

const interrupted = (call: ToolCallPart): ToolResultPart => ({
  type: "tool-result",
  callId: call.id,
  name: call.name,
  output: "Interrupted: the turn was left before this call was done.",
  isError: true,
});

function finish(
  state: AgentState,
  before: History,
  receipts: readonly Receipt[],
  end: Pick<ChatResult, "finish" | "refusal">,
): AgentResult {
  const made: readonly Message[] = state.history.messages.slice(before.length);
  const readable = made.flatMap((message) => toReadable(message) ?? []);
  const answer = made.findLast((message) => message.role === "assistant");
  const blocks = thinkingBlocksOf(made);
  const thinking = joinThinking(blocks);
  const text = textOf(answer);
  return {
    text,
    ...(end.refusal !== undefined && { refusal: end.refusal }),
    thinking,
    metadata: { thinking },
    output: readable.findLast((message) => message.role === "model") ?? {
      role: "model",
      parts: [],
    },
    messages: readable,
    thinkingBlocks: blocks,
    finish: end.finish,
    ...sumReceipts(receipts),
    receipt: receipts.at(-1)!,
    receipts,
  };
}
