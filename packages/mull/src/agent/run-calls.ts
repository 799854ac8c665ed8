import type { ReadObject } from "../chat/object.ts";
import { teller, startInside } from "../chat/observe.ts";
import { stopped } from "../transport/failure.ts";
import type { ToolCallPart, ToolResultPart } from "../types/message.ts";
import { openCalls, undecided, whyWaiting, withResults, type PendingCall } from "./open-calls.ts";
import type { AgentOptions } from "./options.ts";
import type { AgentState, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";
import { schedule } from "../transport/deadline.ts";
import { toOutput } from "./tool-output.ts";
import type { Tool } from "./tool.ts";

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

/** Runs the calls that a history was left with. Refuses before anything runs if one is undecided. */
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
  const left = new Map(calls.entries());
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
      if (!left.delete(at)) return;
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

export interface RunToolsOptions {
  readonly signal: AbortSignal;
  /** Calls that run at the same time. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
  /** Told of each call as it begins, with its position. */
  readonly onStart?: (at: number) => void;
  /** Starts the tool of a call. */
  readonly around?: ((call: ToolCallPart, run: () => void) => unknown) | undefined;
  /** Told of each result as it comes, with the position of its call. */
  readonly onResult: (result: ToolResultPart, at: number) => void;
}

/**
 * Runs the calls of one answer. Every call gets exactly one result, in the order of the calls; a tool
 * that throws, hangs or returns nonsense gets an error result. Nothing a tool does rejects this.
 */
export async function runTools(
  calls: readonly ToolCallPart[],
  tools: ReadonlyMap<string, Tool>,
  options: RunToolsOptions,
): Promise<readonly ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  const running: Running = new Set();
  // One listener for all tools: for the eleventh on a signal Node prints MaxListenersExceededWarning.
  const onStop = (): void => running.forEach((stop) => stop());
  options.signal.addEventListener("abort", onStop);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < calls.length; at = next++) {
      options.onStart?.(at);
      const result = await runTool(calls[at]!, tools, options, running);
      results[at] = result;
      options.onResult(result, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, calls.length) }, worker));
  options.signal.removeEventListener("abort", onStop);
  return results;
}

/** One controller for each running tool, to stop it. */
type Running = Set<() => void>;

async function runTool(
  call: ToolCallPart,
  tools: ReadonlyMap<string, Tool>,
  options: RunToolsOptions,
  running: Running,
): Promise<ToolResultPart> {
  const { id: callId, name } = call;
  const failed = (output: string): ToolResultPart => ({
    type: "tool-result",
    callId,
    name,
    output,
    isError: true,
  });
  if (options.signal.aborted)
    return failed("Interrupted: the turn was stopped before this call ran.");
  if (call.invalid !== undefined) return failed(describeInvalid(call.invalid));
  const tool = tools.get(call.name);
  if (tool === undefined)
    return failed(
      `There is no tool ${JSON.stringify(call.name)}. Tools: ${[...tools.keys()].join(", ") || "none"}.`,
    );
  const startedAt = performance.now();
  const lasted = (): { readonly durationMs: number } => ({
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const outcome = await runBounded(tool, call, options, running);
    if ("faults" in outcome)
      return failed(`The input does not fit the tool: ${outcome.faults.join("; ")}.`);
    const output = toOutput(outcome.value, options.maxResultBytes);
    return { type: "tool-result", callId, name, output, ...lasted() };
  } catch (error) {
    return { ...failed(describeFailure(error)), ...lasted() };
  }
}

const describeInvalid = (invalid: { readonly raw: string; readonly reason: string }): string =>
  `The call was not run: ${invalid.reason}. It began: ${JSON.stringify(invalid.raw.slice(0, 200))}`;

/** The message alone: a stack means nothing to a model and names files of the host. */
function describeFailure(error: unknown): string {
  if (error instanceof Error) return `The tool failed: ${error.message || error.name}`;
  return typeof error === "string" && error !== ""
    ? `The tool failed: ${error}`
    : "The tool failed.";
}

async function checkAndRun(
  tool: Tool,
  call: ToolCallPart,
  signal: AbortSignal,
  { around }: RunToolsOptions,
): Promise<ReadObject> {
  const checked = await tool.check(call.input);
  if ("faults" in checked) return checked;
  signal.throwIfAborted();
  const run = (): unknown => tool.run(checked.input, { callId: call.id, signal });
  return { value: await startInside(around && ((start) => around(call, start)), run) };
}

/** Settles with the tool, its time limit or the stop, whichever is first; a late result is ignored. */
function runBounded(
  tool: Tool,
  call: ToolCallPart,
  options: RunToolsOptions,
  running: Running,
): Promise<ReadObject> {
  const limit = tool.timeoutMs ?? options.timeoutMs;
  const own = new AbortController();
  return new Promise((resolve, reject) => {
    const release = (): void => {
      cancelTimer();
      running.delete(onStop);
    };
    const stop = (reason: Error): void => {
      release();
      own.abort(reason);
      reject(reason);
    };
    const onStop = (): void => stop(new Error("interrupted, the turn was stopped"));
    const cancelTimer = schedule(() => stop(new Error(`timed out after ${limit} ms`)), limit);
    running.add(onStop);
    checkAndRun(tool, call, own.signal, options).then(resolve, reject).finally(release);
  });
}
