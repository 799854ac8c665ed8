import type { ChatHooks, ChatResult, ChatRun } from "../chat/chat.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { again, judge, retriesOf } from "../chat/object.ts";
import { teller } from "../chat/observe.ts";
import type { History } from "../history/history.ts";
import { onAbort } from "../transport/deadline.ts";
import { isMullError } from "../types/error.ts";
import type { Finish } from "../types/event.ts";
import type { Level } from "../types/level.ts";
import type { Message, ToolResultPart, UserPart } from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { Provider } from "../types/provider.ts";
import { askStep, chainOf, isSameModel } from "./ask-step.ts";
import { budgetOf } from "./request.ts";
import type { CachedPrompt, cacheWatch } from "./cache-report.ts";
import { runnableCalls } from "./open-calls.ts";
import type { AgentOptions, SendTurnOptions } from "./options.ts";
import {
  joinThinking,
  sumReceipts,
  textOf,
  thinkingBlocksOf,
  toReadable,
  type AgentResult,
} from "./result.ts";
import { runCalls, runOpenCalls } from "./run-calls.ts";
import type { Tool } from "./tool.ts";
import type { AgentEvent } from "./turn-stream.ts";

/**
 * The events of an answer as they come; none once it is over. A turn yields it and does not hand on
 * the events itself: every word would take a way through five generators.
 */
export type LiveAnswer = () => Promise<AgentEvent[]>;

/** A part of a turn that asks for an answer. */
export type Asking<R> = AsyncGenerator<AgentEvent[] | LiveAnswer, R, undefined>;

/** Asks for one step with these options. */
export type AskWith = (options: AgentOptions) => Asking<ChatResult>;

/** What the full library adds to an agent. */
export interface AgentHooks extends ChatHooks {
  readonly cacheWatch?: typeof cacheWatch;
  readonly askFitting?: (
    state: AgentState,
    target: ChatTarget,
    options: AgentOptions,
    handle: TurnHandle,
    ask: AskWith,
  ) => ReturnType<AskWith>;
}

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
  /** Pending calls that may run: `decide` said so in this process. */
  readonly decided: Set<string>;
  /** Results that decisions gave, until readers of the turn that goes on have them. */
  readonly settled: ToolResultPart[];
  readonly hooks: AgentHooks;
  /** Providers that refuse this account summaries of thinking. */
  readonly withoutSummary: Set<string>;
  /** The last request that was answered, for what its prompt left in the cache. */
  cached: CachedPrompt | undefined;
  /** An emulator gave the last answer, perhaps through a `fetch` that hides it. It can open its own seals, so they may go back. */
  isSimulated: true | undefined;
}

/** A running turn: what it has collected so far, and its outcome. */
export type AgentTurn = Asking<AgentResult | undefined>;

/** What a turn shares with its starter. */
export interface TurnHandle {
  /** Aborted when the reader has left. */
  readonly stop: AbortController;
  /** Of the steps so far; one that broke off is there as soon as the service had begun it. */
  readonly receipts: Receipt[];
  /** What was there before the turn, shortened if that was. */
  base: History;
  /** The request that is under way. */
  asking: ChatRun | undefined;
  /** Whether the reader sees the answer as it comes, waits for all of it, or has gone. */
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
  handle.base = before;
  const budget = budgetOf(options);
  const unfollow = follow(stop, [options.signal, turn.signal]);
  let isWhole = false;
  const output = turn.output ?? options.output;
  let retriesLeft = output === undefined ? 0 : retriesOf(output);
  let kept = before;
  if (parts !== undefined) {
    state.settled.length = 0;
    state.history = before.append({ role: "user", parts });
  }
  try {
    if (parts === undefined) {
      try {
        yield* runOpenCalls(state, options, handle);
      } finally {
        // What these calls did belongs to the answer before.
        kept = state.history;
      }
    }
    const maxSteps = options.maxSteps ?? 50;
    for (let step = 0; step < maxSteps; step++) {
      if (!isSameModel(state.target, chain.chosen))
        chain = chainOf(state, options, dialOf(state, {}));
      const ask: AskWith = (given) => askStep(state, chain, given, turn, handle, { step, budget });
      const answer = yield* options.compact === undefined
        ? ask(options)
        : state.hooks.askFitting!(state, chain.dial.target, options, handle, ask);
      yield [{ type: "step", step, result: answer }];
      const calls = runnableCalls(answer.message);
      if (calls.length === 0 && answer.finish.reason !== "pause") {
        const judged = output && (await judge(answer, output, retriesLeft--));
        if (judged === undefined || "object" in judged) {
          isWhole = true;
          return { ...finish(state, handle.base, receipts, answer), ...judged };
        }
        state.history = state.history.append(again(judged.ask));
      }
      const pending = yield* runCalls(state, calls, options, handle, step);
      if (pending.length > 0) return { ...finish(state, handle.base, receipts, waiting), pending };
      if (await options.stopWhen?.({ steps: step + 1, last: answer, ...sumReceipts(receipts) })) {
        const end: Finish = { reason: "stop-when", note: "stopWhen ended the turn" };
        return finish(state, handle.base, receipts, { finish: end });
      }
    }
    const end: Finish = { reason: "max-steps", note: `stopped after ${maxSteps} steps` };
    return finish(state, handle.base, receipts, { finish: end });
  } catch (error) {
    // The first request is refused with an error: there is no result without an answer.
    if (!isMullError(error) || error.code !== "budget" || !hasAnswer(state, handle.base))
      throw error;
    const end: Finish = { reason: "budget", note: error.message };
    return finish(state, handle.base, receipts, { finish: end });
  } finally {
    unfollow();
    // Nothing runs any more after a whole turn, and a reason to stop costs an error with its stack.
    if (!isWhole) stop.abort();
    if (!hasAnswer(state, handle.base)) state.history = kept;
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

/** The end of a turn that goes on after a decision. */
const waiting = { finish: { reason: "approval", note: "calls wait for a decision" } } as const;

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
    // An answer is no step yet.
    if (typeof value !== "function") for (const event of value) tellStep(event, options, turn);
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
