import { startInside } from "../chat/observe.ts";
import { schedule } from "../transport/deadline.ts";
import type { ToolCallPart, ToolResultPart } from "../types/message.ts";
import { toOutput } from "./tool-output.ts";
import type { Tool } from "./tool.ts";

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

type Outcome = { readonly value: unknown } | { readonly faults: readonly string[] };

async function checkAndRun(
  tool: Tool,
  call: ToolCallPart,
  signal: AbortSignal,
  { around }: RunToolsOptions,
): Promise<Outcome> {
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
): Promise<Outcome> {
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
