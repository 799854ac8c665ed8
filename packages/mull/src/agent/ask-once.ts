import { ChatRun, type ChatResult } from "../chat/chat.ts";
import type { ChatTarget } from "../chat/compose.ts";
import { effortOf } from "../history/effort-updates.ts";
import { estimateTokens } from "../history/estimate.ts";
import { stopped } from "../transport/failure.ts";
import { isMullError, MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { AssistantMessage } from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { AnyTool } from "../types/tool.ts";
import type { AgentOptions, SendTurnOptions } from "./options.ts";
import {
  hasRefusedSeals,
  hasRefusedSummary,
  keepKeyHome,
  markRefused,
  releaseChoice,
  requestFields,
  summaryNote,
} from "./request.ts";
import type { AgentState, Dial, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";

/** Asks a model once and streams its answer, which the history keeps as far as it comes. */
export async function* askOnce(
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
  const effort = receipt && effortOf(receipt);
  return effort === undefined ? message : { ...message, effort };
}

function toolFields(options: AgentOptions): { readonly tools?: readonly AnyTool[] } {
  if (options.tools === undefined || options.tools.length === 0) return {};
  return { tools: options.tools.map((tool) => ("spec" in tool ? tool.spec : tool)) };
}
