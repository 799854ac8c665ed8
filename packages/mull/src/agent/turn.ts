import { ChatRun, type ChatHooks, type ChatResult } from "../chat/chat.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { settingWord } from "../history/effort-updates.ts";
import { estimateTokens } from "../history/estimate.ts";
import type { History } from "../history/history.ts";
import { onAbort } from "../transport/deadline.ts";
import { stopped } from "../transport/failure.ts";
import { isMullError, MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Finish, Reply, StreamEvent } from "../types/event.ts";
import type { Level } from "../types/level.ts";
import type {
  AssistantMessage,
  Message,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { Provider } from "../types/provider.ts";
import type { ChatRequest } from "../types/request.ts";
import type { AnyTool } from "../types/tool.ts";
import type { AgentOptions, SendTurnOptions } from "./options.ts";
import {
  joinThinking,
  sumReceipts,
  textOf,
  thinkingBlocksOf,
  toReadable,
  type AgentResult,
} from "./result.ts";
import {
  hasRefusedSeals,
  hasRefusedSummary,
  keepKeyHome,
  markRefused,
  releaseChoice,
  requestFields,
  summaryNote,
} from "./request.ts";
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
}

/** What was asked of a model about thinking. It holds until the turn ends or another model takes over. */
type Dial = Pick<AgentState, "target" | "level" | "thinkingBudget">;

/** What one turn asks wins over what the agent has; a level alone sets the agent's budget aside. */
const dialOf = (state: AgentState, turn: SendTurnOptions): Dial => ({
  target: state.target,
  level: turn.level ?? state.level,
  thinkingBudget:
    turn.thinkingBudget ?? (turn.level === undefined ? state.thinkingBudget : undefined),
});

const isSameModel = (one: ChatTarget, other: ChatTarget): boolean =>
  one.model.id === other.model.id && one.provider.id === other.provider.id;

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
  let dial = dialOf(state, turn);
  const unfollow = follow(stop, [options.signal, turn.signal]);
  let isWhole = false;
  if (parts !== undefined) state.history = before.append({ role: "user", parts });
  try {
    const maxSteps = options.maxSteps ?? 50;
    for (let step = 0; step < maxSteps; step++) {
      if (!isSameModel(state.target, dial.target)) dial = dialOf(state, {});
      const answer = yield* askOnce(state, dial, options, turn, handle, step);
      yield [{ type: "step", step, result: answer }];
      const calls = runnableCalls(answer);
      if (calls.length === 0 && answer.finish.reason !== "pause") {
        isWhole = true;
        return finish(state, before, receipts, answer, turn.output ?? options.output);
      }
      if (calls.length > 0) yield* answerCalls(state, calls, options, stop.signal, step);
    }
    const end: Finish = { reason: "max-steps", note: `stopped after ${maxSteps} steps` };
    return finish(state, before, receipts, { finish: end }, undefined);
  } finally {
    unfollow();
    // Nothing runs any more after a whole turn, and a reason to stop costs an error with its stack.
    if (!isWhole) stop.abort();
    if (
      !state.history.messages.slice(before.length).some((message) => message.role === "assistant")
    )
      state.history = before;
  }
}

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

async function* askOnce(
  state: AgentState,
  { level, thinkingBudget }: Dial,
  options: AgentOptions,
  turn: SendTurnOptions,
  handle: TurnHandle,
  step: number,
): AsyncGenerator<AgentEvent[], ChatResult, undefined> {
  const { target } = state;
  const { receipts } = handle;
  const { signal } = handle.stop;
  const isSummaryRefused = state.withoutSummary.has(target.provider.id);
  const ask = {
    ...releaseChoice({ ...requestFields(options), ...requestFields(turn) }, state.history),
    ...(isSummaryRefused && { showThinking: false }),
    level,
    ...(thinkingBudget !== undefined && { thinkingBudget }),
  };
  const run = new ChatRun(
    { ...target, level },
    { ...ask, messages: state.history.messages, ...toolFields(options) },
    {
      ...keepKeyHome(options, state.home, target.provider),
      signal,
      simulated: options.simulated ?? (options.fetch && state.isSimulated),
      notes: [...(options.notes ?? []), ...(isSummaryRefused ? [summaryNote] : [])],
      contextTokens: estimateTokens(state.history.messages),
    },
    state.hooks,
  );
  let isKept = false;
  state.answering = target;
  handle.asking = run;
  try {
    let events = await run.pull();
    for (; events.length > 0 && events.at(-1)?.type !== "finish"; events = await run.pull())
      yield asAnswer(events, step);
    if (events.length === 0)
      throw new MullError("The answer ended without its end.", { category: "protocol" });
    // The whole answer is here: it is kept before anybody can leave.
    const result = run.result();
    const answer = { ...result, message: withEffort(result.message, result.receipt) };
    learnFrom(state, target, result.receipt);
    state.history = state.history.append(answer.message);
    receipts.push(answer.receipt);
    isKept = true;
    const last = asAnswer(events, step);
    if (last.length > 0) yield last;
    return answer;
  } catch (error) {
    throw signal.aborted && !isMullError(error)
      ? stopped("The turn was stopped.", signal.reason)
      : error;
  } finally {
    state.answering = handle.asking = undefined;
    if (!isKept) {
      await run.close();
      keepPartial(state, run, receipts);
    }
  }
}

const asAnswer = (events: readonly StreamEvent[], step: number): AgentEvent[] =>
  events.flatMap((event) => (event.type === "finish" ? [] : { type: "answer", step, event }));

/** What a service refused once is not sent to it again. */
function learnFrom(state: AgentState, target: ChatTarget, receipt: Receipt): void {
  state.isSimulated = receipt.simulated;
  if (hasRefusedSummary(receipt)) state.withoutSummary.add(target.provider.id);
  if (!hasRefusedSeals(receipt)) return;
  state.history = markRefused(state.history, target.provider.wire.id, state.history.length);
}

/** What had arrived of a broken answer stays: finished blocks whole, the cut one readable only. */
function keepPartial(state: AgentState, run: ChatRun, receipts: Receipt[]): void {
  const receipt = run.receipt();
  if (receipt?.usage !== undefined) receipts.push(receipt);
  const partial = run.partial();
  if (partial === undefined || partial.message.parts.length === 0) return;
  state.history = state.history.append({
    ...withEffort(partial.message, receipt),
    interrupted: true,
  });
}

/** Records what was in force about thinking, so that later requests know what a change means. */
function withEffort<M extends AssistantMessage>(message: M, receipt: Receipt | undefined): M {
  const effort = receipt && (sentEffort(receipt) ?? settingWord(receipt.plan.setting));
  return effort === undefined ? message : { ...message, effort };
}

/** As sent: a repair may have changed it. */
function sentEffort({ sent }: Receipt): string | undefined {
  const { output_config: config, reasoning, reasoning_effort: word } = sent;
  const effort = [config, reasoning].find((holder) => isJsonObject(holder) && "effort" in holder);
  const value = isJsonObject(effort) ? effort["effort"] : word;
  return typeof value === "string" ? value : undefined;
}

async function* answerCalls(
  state: AgentState,
  calls: readonly ToolCallPart[],
  options: AgentOptions,
  signal: AbortSignal,
  step: number,
): AsyncGenerator<AgentEvent[], void, undefined> {
  const arrived: AgentEvent[] = [];
  const results = calls.map(interrupted);
  let wake: (() => void) | undefined;
  const running = runTools(calls, state.tools, {
    signal,
    concurrency: options.toolConcurrency ?? 8,
    timeoutMs: options.toolTimeoutMs ?? 120_000,
    maxResultBytes: options.maxToolResultBytes ?? 262_144,
    onResult: (result, at) => {
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

function toolFields(options: AgentOptions): { readonly tools?: readonly AnyTool[] } {
  if (options.tools === undefined || options.tools.length === 0) return {};
  return { tools: options.tools.map((tool) => ("spec" in tool ? tool.spec : tool)) };
}

function finish(
  state: AgentState,
  before: History,
  receipts: readonly Receipt[],
  end: Pick<ChatResult, "finish" | "refusal">,
  output: ChatRequest["output"],
): AgentResult {
  const made: readonly Message[] = state.history.messages.slice(before.length);
  const readable = made.flatMap((message) => toReadable(message) ?? []);
  const answer = made.findLast((message) => message.role === "assistant");
  const blocks = thinkingBlocksOf(made);
  const thinking = joinThinking(blocks);
  const text = textOf(answer);
  const object = output === undefined ? undefined : parseObject(text);
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
    ...(object !== undefined && { object }),
  };
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
