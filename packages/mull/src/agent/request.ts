import type { ChatHooks, SmallerAnswer } from "../chat/chat.ts";
import { is, type OptionCheck } from "../chat/checks.ts";
import type { Composed } from "../chat/compose.ts";
import { endpointOf } from "../chat/connection.ts";
import { passedOn, type RequestFields } from "../chat/request-options.ts";
import type { History } from "../history/history.ts";
import { monotonicNow } from "../transport/deadline.ts";
import { isJsonObject, pick } from "../types/json.ts";
import type { AssistantPart, Message, WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Note, Receipt } from "../types/plan.ts";
import type { Provider } from "../types/provider.ts";
import { isCredential, lowerCased } from "../wire/common/headers.ts";
import type { AgentOptions } from "./options.ts";

export const requestFields = (options: RequestFields): RequestFields => pick(options, passedOn);

/** Lifts a forced tool choice after the first results: a model that is forced again would never answer. */
export const releaseChoice = (
  { toolChoice, ...fields }: RequestFields,
  { messages }: History,
): RequestFields =>
  toolChoice === undefined || (toolChoice !== "none" && messages.at(-1)?.role === "tool")
    ? fields
    : { ...fields, toolChoice };

/**
 * Keeps one vendor's key from being sent to another. A caller with a `fetch` of their own decides
 * where requests go.
 */
export function keepKeyHome(options: AgentOptions, home: Provider, asked: Provider): AgentOptions {
  const { apiKey, headers, ...rest } = options;
  const hasSecrets = apiKey !== undefined || headers !== undefined;
  if (!hasSecrets || options.fetch !== undefined) return options;
  if (endpointOf(asked, options) === endpointOf(home, options)) return options;
  return headers === undefined ? rest : { ...rest, headers: withoutCredentials(headers) };
}

const withoutCredentials = (
  headers: NonNullable<AgentOptions["headers"]>,
): NonNullable<AgentOptions["headers"]> =>
  Object.fromEntries(Object.entries(lowerCased(headers)).filter(([name]) => !isCredential(name)));

/** True when an answer came only after the seals of the history were left out. */
export const hasRefusedSeals = (receipt: Receipt): boolean =>
  receipt.repairs.some((repair) => repair.sealsRefused);

/**
 * Marks the seals a service refused, so that the next turn does not run into the same refusal.
 * They stay in the history; the first `length` messages of the branch are those that were sent.
 */
export const markRefused = (history: History, wire: WireId, length: number): History =>
  history.map((message, index) => (index < length ? markMessage(message, wire) : message));

function markMessage(message: Message, wire: WireId): Message {
  if (message.role !== "assistant" || !message.parts.some((part) => isOpen(part, wire))) {
    return message;
  }
  return {
    ...message,
    parts: message.parts.map((part): AssistantPart =>
      part.seal !== undefined && isOpen(part, wire)
        ? { ...part, seal: { ...part.seal, refused: true } }
        : part,
    ),
  };
}

const isOpen = (part: AssistantPart, wire: WireId): boolean =>
  part.seal?.origin.wire === wire && part.seal.refused !== true;

/**
 * Whether the service refused to summarise because the organisation is not verified. Asking again
 * would cost a refusal every time.
 */
export const hasRefusedSummary = (receipt: Receipt): boolean =>
  receipt.repairs.some((repair) => repair.rule === "openai/summary-verification");

export const summaryNote: Note = {
  code: "summary-refused",
  severity: "info",
  message:
    "OpenAI shows reasoning summaries to verified organisations only, so none was asked for.",
};

/** What one turn may spend. */
export interface TurnBudget {
  /** Milliseconds that are left; `Infinity` without such a limit. */
  msLeft(): number;
  /**
   * Holds back what a request may take. Waits while requests under way may give enough back, and throws
   * if that cannot help.
   */
  hold(composed: Composed, model: Model, signal: AbortSignal): Promise<HeldAmount>;
}

/** What is held back for one request. */
export interface HeldAmount {
  /** Says what the request took. */
  readonly settle: (receipt: Receipt | undefined) => void;
  /** What the budget still allows, if the request has no cap of its own. */
  readonly smaller?: SmallerAnswer | undefined;
}

/** A budget as agents are given it. */
export interface SpendingLimit {
  ofTurn(now: () => number): TurnBudget;
}

export const isSpendingLimit = (value: unknown): value is SpendingLimit =>
  isJsonObject(value) && typeof value["ofTurn"] === "function";

/** Plain limits are made a budget by the whole library's `Agent`, so that small bundles need not hold how. */
export const aSpendingLimit: OptionCheck = is(isSpendingLimit, "what createBudget returns");

export const budgetOf = ({ budget, now = monotonicNow }: AgentOptions): TurnBudget | undefined =>
  isSpendingLimit(budget) ? budget.ofTurn(now) : undefined;

/** The part of a budget that one request takes. Without a budget it is nothing. */
export class HeldBudget {
  readonly #budget: TurnBudget | undefined;
  readonly #signal: AbortSignal;
  #settle: ((receipt: Receipt | undefined) => void) | undefined;

  constructor(budget: TurnBudget | undefined, signal: AbortSignal) {
    this.#budget = budget;
    this.#signal = signal;
  }

  /** The request takes no longer than the time that is left. */
  limits({ limits }: AgentOptions): Pick<AgentOptions, "limits"> {
    const left = this.#budget?.msLeft() ?? Infinity;
    if (left === Infinity) return {};
    return { limits: { ...limits, totalMs: Math.max(1, Math.min(left, limits?.totalMs ?? left)) } };
  }

  hooks(hooks: ChatHooks): ChatHooks {
    const budget = this.#budget;
    if (budget === undefined) return hooks;
    return {
      ...hooks,
      admit: async (composed, model) => {
        const { settle, smaller } = await budget.hold(composed, model, this.#signal);
        this.#settle = settle;
        return smaller;
      },
    };
  }

  settle(receipt: Receipt | undefined): void {
    this.#settle?.(receipt);
  }
}
