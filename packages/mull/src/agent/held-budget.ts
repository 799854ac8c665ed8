import type { ChatHooks, SmallerAnswer } from "../chat/chat.ts";
import { is, type OptionCheck } from "../chat/checks.ts";
import type { Composed } from "../chat/compose.ts";
import { monotonicNow } from "../transport/deadline.ts";
import { isJsonObject } from "../types/json.ts";
import type { Model } from "../types/model.ts";
import type { Receipt } from "../types/plan.ts";
import type { AgentOptions } from "./options.ts";

/** What one turn may spend. */
export interface TurnBudget {
  /** Milliseconds that are left; `Infinity` without such a limit. */
  msLeft(): number;
  /**
   * Holds back what a request may take. Waits while requests under way may give enough back, and throws
   * where that cannot help.
   */
  hold(composed: Composed, model: Model, signal: AbortSignal): Promise<HeldAmount>;
}

/** What is held back for one request. */
export interface HeldAmount {
  /** Says what the request took. */
  readonly settle: (receipt: Receipt | undefined) => void;
  /** What the budget still allows, where the request has no cap of its own. */
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
