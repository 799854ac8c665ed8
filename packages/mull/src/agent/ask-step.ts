import { type ChatResult, ChatRun } from "../chat/chat.ts";
import { checkServiceCompaction, type ChatTarget } from "../chat/compose.ts";
import { connect } from "../chat/connection.ts";
import { isMullError, MullError } from "../types/error.ts";
import {
  type FailedModel,
  warning,
  type FallbackReason,
  type Note,
  type Receipt,
} from "../types/plan.ts";
import { type AgentOptions, type SendTurnOptions, toolsOf } from "./options.ts";
import {
  HeldBudget,
  keepKeyHome,
  hasRefusedSeals,
  hasRefusedSummary,
  markRefused,
  releaseChoice,
  requestFields,
  summaryNote,
  type TurnBudget,
} from "./request.ts";
import type { AgentState, Asking, Dial, TurnHandle } from "./turn.ts";
import type { AgentEvent } from "./turn-stream.ts";
import { whyNextModel, type AskedModel } from "../chat/next-model.ts";
import { effortOf } from "../history/effort-updates.ts";
import { estimateTokens } from "../history/estimate.ts";
import { monotonicNow } from "../transport/deadline.ts";
import { stopped } from "../transport/failure.ts";
import type { StreamEvent } from "../types/event.ts";
import type { AssistantMessage } from "../types/message.ts";
import type { Observe } from "../types/observation.ts";
import type { AnyTool } from "../types/tool.ts";

/** Who answers a turn: the chosen model first, then its fallbacks, one after another. */
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
 * Asks for one step, and asks the next model if another model may succeed. The model that answered
 * keeps the rest of the turn, so that an outage is waited for once.
 */
export async function* askStep(
  state: AgentState,
  chain: Chain,
  options: AgentOptions,
  turn: SendTurnOptions,
  handle: TurnHandle,
  { step, budget }: { readonly step: number; readonly budget: TurnBudget | undefined },
): Asking<ChatResult> {
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
    `${error.message} Before that, ${before.join(", ")} failed.`,
    Object.assign({}, error),
    { cause: error },
  );
}

/** One request of a step. */
interface AskedStep {
  readonly dial: Dial;
  readonly step: number;
  readonly budget: TurnBudget | undefined;
  /** Who was asked before. */
  readonly failed: readonly FailedModel[];
  /** There is another model to ask. */
  readonly hasNext: boolean;
}

/** With a fallback there is no long wait for a model that limits its rate. */
const patienceMs = 10_000;

/**
 * Asks a model once and streams its answer, which the history keeps as far as it comes. Returns why
 * it did not answer if another model may be asked.
 */
async function* askOnce(
  state: AgentState,
  ask: AskedStep,
  options: AgentOptions,
  turn: SendTurnOptions,
  handle: TurnHandle,
): Asking<ChatResult | FailedModel> {
  const { target } = ask.dial;
  const { receipts } = handle;
  const { signal } = handle.stop;
  const held = new HeldBudget(ask.budget, signal);
  const run = newRun(state, ask, options, turn, handle, held);
  let isSettled = false;
  let hasShownText = false;
  const whyNext = (end: AskedModel): FallbackReason | undefined =>
    ask.hasNext && handle.reader !== "gone" ? whyNextModel({ ...end, hasShownText }) : undefined;
  state.answering = target;
  handle.asking = run;
  try {
    let pulled: Promise<StreamEvent[]> = Promise.resolve([]);
    yield async () => {
      pulled = run.pull();
      try {
        const said = await pulled;
        if (said.at(-1)?.type === "finish") return [];
        hasShownText ||= handle.reader === "reads" && said.some(({ type }) => type === "text");
        return asAnswer(said, ask.step);
      } catch {
        // Thrown once more below, where the next model may be asked.
        return [];
      }
    };
    const events = await pulled;
    if (events.length === 0)
      throw new MullError("The answer ended early.", { category: "protocol" });
    // The whole answer is here: it is kept before anybody can leave.
    const result = run.result();
    const { finish } = result;
    learnFrom(state, target, result.receipt);
    isSettled = true;
    const why = whyNext({ finish });
    if (why !== undefined) {
      receipts.push(result.receipt);
      return failedModel(target, why, finish.note ?? finish.raw ?? finish.reason);
    }
    const message = withEffort(result.message, result.receipt);
    const receipt = withFailed(result.receipt, ask.failed);
    const answer = withCache(state, target, run, { ...result, message, receipt }, options);
    state.history = state.history.append(answer.message);
    receipts.push(answer.receipt);
    const last = asAnswer(events, ask.step);
    if (last.length > 0) yield last;
    return answer;
  } catch (error) {
    const why = isSettled ? undefined : whyNext({ error });
    if (why !== undefined && error instanceof Error) {
      isSettled = true;
      await run.close();
      keepReceipt(run, receipts);
      return failedModel(target, why, error.message);
    }
    throw signal.aborted && !isMullError(error)
      ? stopped("The turn was stopped.", signal.reason)
      : error;
  } finally {
    state.answering = handle.asking = undefined;
    if (!isSettled) {
      await run.close();
      keepPartial(state, run, receipts);
    }
    held.settle(run.receipt());
  }
}

function newRun(
  state: AgentState,
  { dial, step, failed, hasNext }: AskedStep,
  options: AgentOptions,
  turn: SendTurnOptions,
  handle: TurnHandle,
  held: HeldBudget,
): ChatRun {
  const { target, level, thinkingBudget } = dial;
  const isSummaryRefused = state.withoutSummary.has(target.provider.id);
  const asked = { ...requestFields(options), ...requestFields(turn) };
  const { cache } = asked;
  const fields = {
    ...releaseChoice(asked, state.history),
    ...(cache && { cache: state.hooks.cacheWatch?.hints(cache, state.cached, target) ?? cache }),
    ...(isSummaryRefused && { showThinking: false }),
    level,
    ...(thinkingBudget !== undefined && { thinkingBudget }),
  };
  return new ChatRun(
    { ...target, level },
    { ...fields, messages: state.history.messages, ...toolFields(options) },
    {
      ...keepKeyHome(options, state.home, target.provider),
      ...(hasNext && { maxWaitMs: options.maxWaitMs ?? patienceMs }),
      ...held.limits(options),
      signal: handle.stop.signal,
      observe: observeStep(options, handle.turn, step),
      simulated: options.simulated ?? (options.fetch && state.isSimulated),
      notes: [
        ...(options.notes ?? []),
        ...(isSummaryRefused ? [summaryNote] : []),
        ...failed.map((each) => fallbackNote(each, target)),
      ],
      contextTokens: estimateTokens(state.history.messages),
    },
    held.hooks(state.hooks),
  );
}

/** What happens to a request of a step says which. */
const observeStep = (
  { observe }: AgentOptions,
  turnId: string,
  step: number,
): Observe | undefined => observe && ((observation) => observe({ ...observation, turnId, step }));

const failedModel = (
  { provider, model }: ChatTarget,
  reason: FallbackReason,
  error: string,
): FailedModel => ({ provider: provider.id, model: model.id, reason, error });

const fallbackNote = ({ model, reason, error }: FailedModel, next: ChatTarget): Note =>
  warning("fallback", `${next.model.id} was asked instead of ${model} (${reason}): ${error}`);

/** Says what the cache did, and remembers what is in it now. */
function withCache(
  state: AgentState,
  target: ChatTarget,
  run: ChatRun,
  answer: ChatResult,
  { now = monotonicNow }: AgentOptions,
): ChatResult {
  const { cacheWatch } = state.hooks;
  const composed = run.composed();
  if (cacheWatch === undefined || composed === undefined) return answer;
  const next = cacheWatch.prompt(composed, answer, target, now());
  const cache = cacheWatch.report(state.cached, next, answer.receipt);
  state.cached = next;
  return cache === undefined ? answer : { ...answer, receipt: { ...answer.receipt, cache } };
}

const withFailed = (receipt: Receipt, failed: readonly FailedModel[]): Receipt =>
  failed.length === 0 ? receipt : { ...receipt, insteadOf: failed };

const asAnswer = (events: readonly StreamEvent[], step: number): AgentEvent[] =>
  events.flatMap((event) => (event.type === "finish" ? [] : { type: "answer", step, event }));

/** What a service refused once is not sent to it again. */
function learnFrom(state: AgentState, target: ChatTarget, receipt: Receipt): void {
  state.isSimulated = receipt.simulated;
  if (hasRefusedSummary(receipt)) state.withoutSummary.add(target.provider.id);
  if (!hasRefusedSeals(receipt)) return;
  state.history = markRefused(state.history, target.provider.wire.id, state.history.length);
}

/** What the service has begun is billed. */
function keepReceipt(run: ChatRun, receipts: Receipt[]): Receipt | undefined {
  const receipt = run.receipt();
  if (receipt?.usage !== undefined) receipts.push(receipt);
  return receipt;
}

/** What had arrived of a broken answer stays: finished blocks whole, the cut one readable only. */
function keepPartial(state: AgentState, run: ChatRun, receipts: Receipt[]): void {
  const receipt = keepReceipt(run, receipts);
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
  const tools = toolsOf(options);
  if (tools.length === 0) return {};
  return { tools: tools.map((tool) => ("spec" in tool ? tool.spec : tool)) };
}
