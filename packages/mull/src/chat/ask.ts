import { findModel } from "../catalogue/find-model.ts";
import {
  newRun,
  openChat,
  Stream,
  whole,
  type ChatHooks,
  type ChatResult,
  type ChatStream,
} from "./chat.ts";
import type { Connection } from "./connection.ts";
import { type ChatOptions, checkFields, checkOptions } from "./request-options.ts";
import { isTarget, type ChatTarget, type Composed } from "./compose.ts";
import { applyRules, heal, isRefused } from "../rules/apply-rules.ts";
import { rulesOf } from "../wire/rules-of.ts";
import { resolveModel } from "../providers/index.ts";
import { createBudgets } from "../transport/send.ts";
import { invalidArgument, MullError } from "../types/error.ts";
import type { StreamEvent } from "../types/event.ts";
import type { JsonObject } from "../types/json.ts";
import type { Model } from "../types/model.ts";
import type { Receipt, Repair } from "../types/plan.ts";
import type { ChatRequest, OutputWish } from "../types/request.ts";
import type { Finding } from "../types/rule.ts";

/**
 * Which model to ask: a ref such as `claude-opus-5-5/high` or `openai-chat:gpt-5/low`, or a
 * provider and a model of your own.
 */
export type ModelChoice = string | ChatTarget;

/**
 * One retry budget for each address and key, shared by all calls of the process. Without it a thousand
 * agents would each ask three times while a service is down; with one budget for everything, a tenant
 * whose key is blocked would use up the retries of all others.
 */
const budgetOf = createBudgets();

/** Asks a model and streams its thinking and its answer. */
export function streamChat<T = unknown>(
  model: ModelChoice,
  request: ChatRequest<T>,
  options: ChatOptions = {},
): ChatStream<T> {
  return openChat(checked(model, request, options), request, options, hooks);
}

/** An answer for a program that passes it on. */
export interface PassedStream {
  /** The next events, as many as came together; none once the answer is over. */
  together(): Promise<readonly StreamEvent[]>;
  /** `isOpening`: only what is known before the answer. */
  receipt(isOpening?: boolean): Receipt | undefined;
}

/** Asks over a connection that is there already. Request and options are the program's own work, and are not checked again. */
export const streamOver = (
  connection: Connection,
  target: ChatTarget,
  request: ChatRequest,
  options: ChatOptions,
): PassedStream => new Stream(newRun(target, request, options, { connection, ...hooks }), options);

/** A request for an object without tools: its answer has the object, or there is none. */
type ObjectRequest<T> = ChatRequest<T> & {
  readonly output: OutputWish<T>;
  readonly tools?: undefined;
};

/**
 * Asks a model and waits for the whole answer. The request streams, so that a slow answer is not
 * mistaken for a dead connection.
 */
export function chat<T = unknown>(
  model: ModelChoice,
  request: ObjectRequest<T>,
  options?: ChatOptions,
): Promise<ChatResult<T> & { readonly object: T }>;
/** The same with tools or without an object. */
export function chat<T = unknown>(
  model: ModelChoice,
  request: ChatRequest<T>,
  options?: ChatOptions,
): Promise<ChatResult<T>>;
export async function chat(
  model: ModelChoice,
  request: ChatRequest,
  options: ChatOptions = {},
): Promise<ChatResult> {
  return whole(newRun(checked(model, request, options), request, options, hooks));
}

function checked(model: ModelChoice, request: ChatRequest, options: ChatOptions): ChatTarget {
  const target = resolveChoice(model);
  checkFields(request);
  checkOptions(options);
  return target;
}

/** The provider, model and level of a `ModelChoice`: a ref is looked up, a target is returned as it is. */
export function resolveChoice(model: ModelChoice): ChatTarget {
  if (typeof model === "string") return resolveModel(model);
  if (isTarget(model)) return model;
  throw invalidArgument(
    "model",
    model,
    "a ref such as claude-opus-5-5/high, or provider and model",
  );
}

/** What the whole library adds to a request. */
export const hooks: ChatHooks = {
  retryBudget: budgetOf,
  modelOf: (id) => findModel(id),
  preflight,
  heal: ({ composed, model, body, error }) =>
    heal({ wire: composed.plan.wire, model, body, error }),
};

/** Runs the cheap rules, with `insist` all of them. Repairs what can be repaired and reports it; throws for the rest, before anything is sent. */
function preflight(
  composed: Composed,
  model: Model,
  healing: ChatOptions["heal"],
): { readonly body: JsonObject; readonly repairs: readonly Repair[] } {
  const { encoded, plan } = composed;
  if (hasNothingToSend(composed)) throw nothingToSend(composed);
  const { wire, provider } = plan;
  const all = rulesOf(wire);
  const cheap = all.filter((rule) => rule.preflight);
  const { left, ...repaired } = applyRules(
    { wire, model, path: encoded.path, headers: encoded.headers, body: encoded.body },
    healing === "insist" ? all : cheap,
    (finding) => isRefused(finding) && healing !== "fail",
  );
  const error = left.find((each) => isRefused(each) && cheap.some(({ id }) => id === each.rule));
  if (error !== undefined) throw refusal(error, provider);
  return repaired;
}

/** OpenAI answers a request with nothing but system messages. On the other wires those leave the list of messages, which must not be empty. */
const hasNothingToSend = ({ plan, prepared }: Composed): boolean =>
  plan.wire.startsWith("openai")
    ? prepared.messages.length === 0
    : prepared.messages.every(({ role }) => role === "system");

/** The error for a history of which nothing is left to send, e.g. one that holds only an answer that broke off. */
function nothingToSend({ plan, prepared }: Composed): MullError {
  const fallback =
    prepared.messages.length > 0 ? "there are only system messages" : "every message is empty";
  const { detail = fallback } = [...prepared.withheld, ...prepared.changes][0] ?? {};
  return new MullError(`messages: none of them can be sent to ${plan.model} (${detail})`, {
    category: "invalid_argument",
    code: "nothing_to_send",
    field: "messages",
    fix: "ask something: append a user message",
    provider: plan.provider,
  });
}

/** A rule in a service's own words may begin with the place, as in `messages.1: …`; it is not written twice. */
const refusal = (error: Finding, provider: string): MullError =>
  new MullError(
    error.message.startsWith(error.path) ? error.message : `${error.path}: ${error.message}`,
    {
      category: "invalid_argument",
      code: "preflight",
      rule: error.rule,
      ...(error.fix !== undefined && { fix: error.fix }),
      provider,
      field: error.path,
    },
  );
