import { aNumber, checkEach, countFrom, type Checks } from "../chat/checks.ts";
import type { Composed } from "../chat/compose.ts";
import { costOf } from "../catalogue/cost.ts";
import type { SmallerAnswer } from "../chat/chat.ts";
import { leastAnswerRoom, thinkingRoomOf } from "../dial/room.ts";
import { grouped } from "../dial/words.ts";
import { estimateRequest } from "../history/estimate.ts";
import { monotonicNow, onAbort } from "../transport/deadline.ts";
import { stopped } from "../transport/failure.ts";
import { invalidArgument, MullError } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Model } from "../types/model.ts";
import { info, type Receipt } from "../types/plan.ts";
import {
  isSpendingLimit,
  type HeldAmount,
  type SpendingLimit,
  type TurnBudget,
} from "./request.ts";

/** What may be spent at most. */
export interface BudgetLimits {
  /** US dollars, by the prices of the models that are asked. */
  readonly dollars?: number | undefined;
  /** Tokens of every kind: input, cached or not, thinking and output. */
  readonly tokens?: number | undefined;
  /** Requests that were answered. */
  readonly steps?: number | undefined;
  /** Milliseconds. */
  readonly ms?: number | undefined;
}

/** What was spent so far, and what is reserved for running requests. */
export interface Spent {
  readonly dollars: number;
  readonly tokens: number;
  readonly steps: number;
  readonly ms: number;
}

/** What one request takes, or may take. */
type Amount = Omit<Spent, "ms">;

/** The most that one request takes, and how much of it is output. */
type PlannedRequest = Amount & { readonly output: number };

const nothing: Amount = { dollars: 0, tokens: 0, steps: 0 };

const add = (a: Amount, b: Amount, sign = 1): Amount => ({
  dollars: a.dollars + sign * b.dollars,
  tokens: a.tokens + sign * b.tokens,
  steps: a.steps + sign * b.steps,
});

/** A budget that several agents share, as `createBudget` makes it. */
export interface Budget {
  readonly limits: BudgetLimits;
  /** What was spent so far; running requests count when they end. */
  spent(): Spent;
}

/**
 * What requests have taken of a budget. What one may cost at most is held back while it runs, so that
 * agents that run side by side never overdraw it together.
 */
class BudgetLedger implements Budget, SpendingLimit, TurnBudget {
  readonly limits: BudgetLimits;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #waiting = new Set<() => void>();
  #spent = nothing;
  #held = nothing;

  constructor(limits: BudgetLimits, now: () => number) {
    this.limits = limits;
    this.#now = now;
    this.#startedAt = now();
  }

  spent(): Spent {
    return { ...this.#spent, ms: this.#now() - this.#startedAt };
  }

  /** All turns spend of the same. */
  ofTurn(): this {
    return this;
  }

  msLeft(): number {
    return (this.limits.ms ?? Infinity) - this.spent().ms;
  }

  async hold(composed: Composed, model: Model, signal: AbortSignal): Promise<HeldAmount> {
    const wanted = this.#planned(composed, model);
    for (;;) {
      if (this.msLeft() <= 0) throw this.#reached("ms", "the time is up");
      const over = this.#over(add(this.#spent, wanted));
      const smaller = over && this.#smaller(composed, model, wanted);
      if (over !== undefined && smaller === undefined)
        throw this.#reached(over, describe(over, wanted));
      const planned = smaller?.planned ?? wanted;
      if (this.#over(add(add(this.#spent, this.#held), planned)) === undefined) {
        this.#held = add(this.#held, planned);
        return { settle: (receipt) => this.#settle(planned, receipt), smaller };
      }
      await this.#giveBack(signal);
    }
  }

  /**
   * With a smaller answer than the model's own cap, a request may fit. The trap: `budget: { dollars: 1 }`
   * would refuse every request to a model whose 128,000 tokens of output cost $1.28. A cap that was asked
   * for is kept, and so is the room that the level needs.
   */
  #smaller(
    composed: Composed,
    model: Model,
    wanted: PlannedRequest,
  ): (SmallerAnswer & { readonly planned: PlannedRequest }) | undefined {
    const { plan } = composed;
    const thinking = thinkingRoomOf(model, plan.setting);
    const least = this.#planned(composed, model, leastAnswerRoom + thinking);
    const isNamed = plan.maxOutputTokens !== undefined;
    if (isNamed || this.#over(add(this.#spent, least)) !== undefined) return undefined;
    const share = (["tokens", "dollars"] as const).map((name) => {
      const left = (this.limits[name] ?? Infinity) - this.#spent[name] - least[name];
      return left > 0 ? left / (wanted[name] - least[name]) : 0;
    });
    // One token less, so that no rounding of dollars goes beyond the limit.
    const more = Math.floor(Math.min(...share) * (wanted.output - least.output)) - 1;
    const answer = leastAnswerRoom + Math.max(0, more);
    const cap = answer + thinking;
    return {
      maxOutputTokens: answer,
      planned: this.#planned(composed, model, cap),
      note: info("budget-cap", `The budget leaves ${grouped(cap)} tokens for thinking and output.`),
    };
  }

  #settle(planned: Amount, receipt: Receipt | undefined): void {
    this.#held = add(this.#held, planned, -1);
    if (receipt?.usage !== undefined) {
      const { usage, cost } = receipt;
      const took = { dollars: cost?.total ?? 0, tokens: usage.total ?? planned.tokens, steps: 1 };
      this.#spent = add(this.#spent, took);
    }
    for (const wake of this.#waiting) wake();
  }

  /** Settles when a request under way has ended. */
  #giveBack(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(wake);
        reject(stopped("The turn was stopped while it waited for its budget.", signal.reason));
      };
      const unfollow = onAbort(signal, leave);
      const wake = (): void => {
        unfollow();
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      // A signal that has aborted by now calls nobody any more.
      if (signal.aborted) leave();
    });
  }

  #over(amount: Amount): keyof Amount | undefined {
    return (["steps", "tokens", "dollars"] as const).find(
      (name) => amount[name] > (this.limits[name] ?? Infinity),
    );
  }

  /** The most a request may take: all of its input and the whole cap, and the same again for a summary by the service. */
  #planned(
    { plan, request }: Composed,
    model: Model,
    cap = plan.maxOutputTokens ?? model.outputCap,
  ): PlannedRequest {
    const { dollars, tokens } = this.limits;
    if (dollars === undefined && tokens === undefined) return { ...nothing, steps: 1, output: 0 };
    if (cap === undefined)
      throw invalidArgument(
        "maxOutputTokens",
        undefined,
        `a number, because the output cap of ${model.id} is not known`,
      );
    const input = estimateRequest(request);
    const kept = model.price?.cacheWrite === undefined ? undefined : request.cache?.breakpoints;
    const written = { cacheWrite: input, ...(kept === "1h" && { cacheWriteHour: input }) };
    const cost = costOf({ ...(kept ? { input: 0, ...written } : { input }), output: cap }, model);
    if (dollars !== undefined && cost === undefined)
      throw invalidArgument("budget.dollars", dollars, `absent: no price of ${model.id} is known`);
    // What is estimated may be more, so a summary is expected from half of its threshold on.
    const times = input * 2 > (request.serviceCompactsAt ?? Infinity) ? 2 : 1;
    const dollarsTaken = (cost?.total ?? 0) * times;
    return { dollars: dollarsTaken, tokens: (input + cap) * times, steps: 1, output: cap };
  }

  #reached(name: keyof BudgetLimits, why: string): MullError {
    const spent = this.spent();
    const left = Math.max(0, (this.limits[name] ?? 0) - spent[name]);
    const of = `${show(name, left)} of ${show(name, this.limits[name] ?? 0)} are left`;
    return new MullError(`budget.${name}: ${why}; ${of}.`, {
      category: "quota",
      code: "budget",
      field: `budget.${name}`,
      fix:
        name === "dollars" || name === "tokens"
          ? `Set a lower maxOutputTokens or level, or raise budget.${name}.`
          : `Raise budget.${name}.`,
    });
  }
}

const show = (name: keyof BudgetLimits, amount: number): string =>
  name === "dollars" ? `$${amount.toFixed(4)}` : `${grouped(Math.round(amount))} ${name}`;

const describe = (name: keyof Amount, { output, ...planned }: PlannedRequest): string =>
  name === "steps"
    ? "no further request is allowed"
    : `the next request may take up to ${show(name, planned[name])}, with ${grouped(output)} tokens of thinking and output`;

const limitChecks: Checks = {
  dollars: aNumber,
  tokens: countFrom(1),
  steps: countFrom(1),
  ms: aNumber,
};

function checkLimits(limits: unknown, field: string): asserts limits is BudgetLimits {
  if (!isJsonObject(limits))
    throw invalidArgument(
      field,
      limits,
      "limits such as { dollars: 1 }, or what createBudget returns",
    );
  checkEach(field, limits, limitChecks, `${field}.`);
}

/** The budget that is shared, or a new one for each turn. */
export function spendingLimit(budget: BudgetLimits | Budget): SpendingLimit {
  if (isSpendingLimit(budget)) return budget;
  checkLimits(budget, "budget");
  return { ofTurn: (now) => new BudgetLedger(budget, now) };
}

/** A budget that several agents share: give it to each of them. `ms` counts from now on. */
export function createBudget(limits: BudgetLimits, now: () => number = monotonicNow): Budget {
  checkLimits(limits, "limits");
  return new BudgetLedger(limits, now);
}
