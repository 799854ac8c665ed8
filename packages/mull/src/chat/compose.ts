import { onWire } from "../vendors/on-wire.ts";
import { solveThinking } from "../dial/solve.ts";
import { settleToolChoice } from "../dial/tool-choice.ts";
import { checkRequest, givenFields } from "./request-options.ts";
import { fitTools } from "./fit-tools.ts";
import { fitOutput } from "./fit-output.ts";
import { outputSchema } from "./object.ts";
import { changeNotes, planEffortUpdates, type EffortUpdates } from "../history/effort-updates.ts";
import { prepare, type OpenLoopPolicy, type Prepared } from "../history/prepare.ts";
import { invalidArgument } from "../types/error.ts";
import { isJsonObject, pick } from "../types/json.ts";
import type { Level } from "../types/level.ts";
import type { Model } from "../types/model.ts";
import { info, type Note, type ThinkingPlan } from "../types/plan.ts";
import type { Provider } from "../types/provider.ts";
import type { ChatRequest, WireRequest } from "../types/request.ts";
import type { Encoded } from "../types/wire.ts";
import { traitsOf } from "../wire/traits.ts";

/** A provider and a model, and the level to use if a request names none. */
export interface ChatTarget {
  readonly provider: Provider;
  readonly model: Model;
  readonly level?: Level | undefined;
}

export const isTarget = (value: unknown): value is ChatTarget =>
  isJsonObject(value) && "provider" in value && "model" in value;

/** What `compose` knows about the connection: address, account, and the models that sealed earlier parts. */
export interface ComposeContext {
  /** Origin of the base URL in use. */
  readonly endpoint?: string | undefined;
  /** Fingerprint of the key in use. */
  readonly account?: string | undefined;
  /** The request goes to an emulator, which can open its own seals. */
  readonly simulated?: boolean | undefined;
  /** Rows of models that sealed parts of the history. */
  readonly modelOf?: ((id: string) => Model | undefined) | undefined;
  readonly openLoop?: OpenLoopPolicy | undefined;
  readonly contextTokens?: number | undefined;
}

/** A request ready to be sent, with the plan and the prepared history it was made from. */
export interface Composed {
  readonly plan: ThinkingPlan;
  readonly prepared: Prepared;
  readonly request: WireRequest;
  readonly encoded: Encoded;
  readonly notes: readonly Note[];
}

/** Plans thinking, prepares the history and encodes the request. Nothing is sent and no argument is changed. */
export function compose(
  target: ChatTarget,
  request: ChatRequest,
  context: ComposeContext = {},
): Composed {
  if (!isJsonObject(target?.provider) || !isJsonObject(target.model))
    throw invalidArgument("target", target, "what resolveModel returns");
  checkRequest(request);
  checkServiceCompaction(request, target);
  const { provider, model } = target;
  const { tools, notes } = fitTools(request.tools ?? [], provider.wire.id);
  const hasTools = tools.length > 0;
  const asked = solveThinking(
    model,
    {
      wire: provider.wire.id,
      thinkingBudget: request.thinkingBudget,
      maxOutputTokens: request.maxOutputTokens,
      showThinking: request.showThinking,
      level: request.level ?? target.level ?? "auto",
      hasTools,
      contextTokens: context.contextTokens,
    },
    provider.name,
  );
  const reader = {
    model: onWire(model, provider.wire.id),
    provider: provider.id,
    wire: provider.wire.id,
  };
  const updates = planEffortUpdates(request.messages, reader, asked.setting);
  const prepared = prepare(request.messages, {
    provider: reader.provider,
    wire: reader.wire,
    model,
    setting: asked.setting,
    effortBefore: updates.before,
    modelOf: context.modelOf ?? ((id) => provider.models.find((row) => row.id === id)),
    system: request.system,
    tools: hasTools ? tools : request.tools,
    quirks: provider.quirks,
    endpoint: context.endpoint,
    account: context.account,
    simulated: context.simulated,
    openLoop: context.openLoop,
  });
  const settled = settlePlan(asked, prepared);
  const chosen = settleToolChoice(model, settled, hasTools ? request : {});
  const plan = { ...settled, notes: [...settled.notes, ...chosen.notes] };
  const { output } = request;
  const fitted = output && fitOutput(outputSchema(output), provider.wire.id, "output.schema");
  // The trap: in Node 20 `{ ...request, tools }` is at once an old object to V8, and keeps all messages from being freed soon.
  const wireRequest = {
    stream: true,
    ...toWireRequest(request, plan, prepared, updates),
    ...pick(chosen, ["toolChoice"]),
    ...(hasTools && { tools }),
    ...(fitted && { output: { ...pick(output ?? {}, ["name"]), schema: fitted.schema } }),
  };
  const encoded = provider.wire.encode(wireRequest, {
    model,
    ...(provider.quirks !== undefined && { quirks: provider.quirks }),
  });
  return {
    plan,
    prepared,
    request: wireRequest,
    encoded,
    notes: [
      ...plan.notes,
      ...notes,
      ...(fitted?.notes ?? []),
      ...cacheNotes(request, target),
      ...prepared.notes,
      ...encoded.notes,
      ...changeNotes(request.messages, reader, plan.setting, updates, context.contextTokens),
    ],
  };
}

/** Who does not know the field would answer as if it were not there, until the conversation overflows. */
export function checkServiceCompaction(
  { serviceCompactsAt: asked }: Pick<ChatRequest, "serviceCompactsAt">,
  { provider, model }: ChatTarget,
): void {
  if (asked === undefined) return;
  const field = "serviceCompactsAt";
  const least = model.serviceCompacts ? traitsOf[provider.wire.id].compactsFrom : undefined;
  if (least === undefined)
    throw invalidArgument(
      field,
      asked,
      `nothing for ${model.id} at ${provider.name}, which shortens no conversations; an Agent does with compact: "auto"`,
    );
  if (asked < least)
    throw invalidArgument(field, asked, `${least} or more input tokens at ${provider.name}`);
}

const cacheNotes = ({ cache }: ChatRequest, { provider, model }: ChatTarget): readonly Note[] =>
  cache?.diagnose && !model.cacheDiagnosis
    ? [info("cache-diagnosis", `${provider.name} doesn't say why ${model.id} missed its cache.`)]
    : [];

/** The plan with what preparing the history changed: a tool loop that began without thinking turns it off, and the tokens reserved for thinking are free again. */
function settlePlan(plan: ThinkingPlan, prepared: Prepared): ThinkingPlan {
  if (prepared.setting === plan.setting) return plan;
  const { thinkingRoom: _, ...rest } = plan;
  return {
    ...rest,
    applied: "none",
    setting: prepared.setting,
    visible: "nothing",
    visibleReason: prepared.notes[0]?.message ?? "thinking is off for this request",
    ...(plan.answerRoom !== undefined && { maxOutputTokens: plan.answerRoom }),
  };
}

function toWireRequest(
  request: ChatRequest,
  plan: ThinkingPlan,
  prepared: Prepared,
  updates: EffortUpdates,
): Omit<WireRequest, "stream"> {
  return {
    model: plan.model,
    messages: prepared.messages,
    thinking: updates.top ?? prepared.setting,
    ...(updates.now !== undefined && { effortInForce: updates.now }),
    show: prepared.setting.type === "off" ? false : plan.show,
    ...(plan.maxOutputTokens !== undefined && { maxOutputTokens: plan.maxOutputTokens }),
    ...pick(request, givenFields),
  };
}
