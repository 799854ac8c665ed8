import type { BeginTurn, BegunTurn, Reservation, Reserved, Store, Taken } from "@mull/store";
import { decide } from "@mull/store/parts";
import { isMullError, MullError } from "mull";
import { spent as refusedFor, tooMany } from "../http/refusals.ts";
import type { Limits } from "../parts.ts";
import { costOfStep, type NextStep } from "./step-cost.ts";

/** Keeps one turn within its user's limits. */
export interface Meter {
  /**
   * Reserves the next step, and settles the ones before it. Throws the error that ends the turn if
   * there is no room.
   */
  readonly admit: (step: NextStep, took: Taken) => Promise<void>;
  /** Most tokens for the answer of that step, if lower than planned. */
  readonly cap: () => number | undefined;
  /** The turn is over. */
  readonly settle: (took: Taken) => Promise<void>;
}

/** What users may take, counted in the store: one sum for all processes. */
export interface Allowance {
  /**
   * Reserves a place among the user's turns, and begins the turn if the store can do both at once.
   * Refused if all are taken, or nothing is left for the day.
   */
  readonly takePlace: (turn: PlacedTurn) => Promise<{
    readonly meter: Meter;
    readonly begun?: BegunTurn;
  }>;
  /** Settles what the store refused earlier. */
  readonly tidy: () => Promise<void>;
}

type PlacedTurn = BeginTurn & { readonly turnId: string };

export interface AllowanceParts {
  readonly store: () => Promise<Store>;
  readonly limits: Limits;
}

const nothing: Taken = { tokens: 0, cost: 0 };
const freeStep = { input: nothing, output: { wanted: 0, least: 0, costEach: 0 } };
/** Between the place and the first step, only the conversation is read. */
const placeMs = 60_000;
const retryMs = 60 * 60_000;

export function createAllowance({ store, limits }: AllowanceParts): Allowance {
  const most = {
    turns: limits.turnsPerUser,
    tokens: limits.tokensPerDay,
    cost: limits.dollarsPerDay,
  };
  const turnMs = limits.turnMs + placeMs;
  const isUnlimited = most.tokens <= 0 && most.cost <= 0;
  /** By turn. */
  const unsettled = new Map<string, () => Promise<void>>();

  const settle = async (userId: string, turnId: string, took: Taken): Promise<void> =>
    (await store()).settle(userId, turnId, took);

  const meterOf = (userId: string, turnId: string): Meter => {
    let shrunk: number | undefined;
    let last: { readonly took: Taken; readonly reserved: Reserved } | undefined;
    /**
     * A turn doesn't end because the store is away: until it is back, we share out what it last
     * said was left.
     */
    const reserve = async (asked: Reservation): Promise<Reserved> => {
      try {
        const reserved = await (await store()).reserve(asked);
        last = { took: asked.took, reserved };
        return reserved;
      } catch (error) {
        if (last === undefined || (isMullError(error) && !error.retryable)) throw error;
        return decide(asked, knownSince(last.reserved, asked.took, last.took));
      }
    };
    return {
      async admit(step, took) {
        if (isUnlimited) return;
        const { thinking, ...cost } = costOfStep(step);
        const asked: Reservation = { userId, turnId, took, most, ms: turnMs, ...cost };
        const reserved = await reserve(asked);
        if (reserved.refused !== undefined) throw noRoom(limits, asked, reserved);
        shrunk = reserved.granted < cost.output.wanted ? reserved.granted - thinking : undefined;
      },
      cap: () => shrunk,
      async settle(took) {
        const work = (): Promise<void> => settle(userId, turnId, took);
        unsettled.set(turnId, work);
        await work();
        unsettled.delete(turnId);
      },
    };
  };

  return {
    async takePlace(turn) {
      const { userId, turnId } = turn;
      // Without a daily limit, no step reserves anything: the place has to last for the whole turn.
      const ms = isUnlimited ? turnMs : placeMs;
      const place = { userId, turnId, most, took: nothing, ...freeStep, ms };
      const reserved = await (await store()).reserve(place, turn).catch((error: unknown) => {
        if (mayBeDone(error)) unsettled.set(turnId, () => settle(userId, turnId, nothing));
        throw error;
      });
      if (reserved.refused === "turns")
        throw tooMany(`You have ${limits.turnsPerUser} turns running.`, 5000);
      if (reserved.refused !== undefined) throw usedUp(limits, reserved);
      const { begun } = reserved;
      return { meter: meterOf(userId, turnId), ...(begun !== undefined && { begun }) };
    },
    async tidy() {
      for (const [turnId, work] of unsettled) {
        await work();
        unsettled.delete(turnId);
      }
    },
  };
}

/**
 * A connection that broke says nothing of what became of the statement. A turn that was stored and
 * never runs would keep its conversation closed for as long as this process lives.
 */
export const mayBeDone = (error: unknown): boolean =>
  isMullError(error) && error.code === "unavailable";

const knownSince = (
  { spent, held }: Reserved,
  took: Taken,
  before: Taken,
): Parameters<typeof decide>[1] => ({
  turns: 0,
  held,
  spent: {
    tokens: spent.tokens + took.tokens - before.tokens,
    cost: spent.cost + took.cost - before.cost,
  },
});

const inTokens = (tokens: number): string => `${Math.round(tokens).toLocaleString("en-US")} tokens`;
const inDollars = (cost: number): string => `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;

/** How much of the exhausted limit is used. */
const describeSpent = (
  { tokensPerDay, dollarsPerDay }: Limits,
  { refused, spent }: Reserved,
): string =>
  refused === "tokens"
    ? `You used ${inTokens(spent.tokens)} of ${inTokens(tokensPerDay)} in 24 hours`
    : `You spent ${inDollars(spent.cost)} of ${inDollars(dollarsPerDay)} in 24 hours`;

const usedUp = (limits: Limits, reserved: Reserved): MullError => {
  const { spent, refused } = reserved;
  const isAllSpent =
    refused === "tokens" ? spent.tokens >= limits.tokensPerDay : spent.cost >= limits.dollarsPerDay;
  const why = isAllSpent ? "the limit here" : "and answers under way may take the rest";
  return refusedFor(`${describeSpent(limits, reserved)}, ${why}.`, isAllSpent ? retryMs : 5000);
};

/** Ends a turn that has an answer with an exhausted budget; fails one that has none. */
const noRoom = (limits: Limits, { input, output }: Reservation, reserved: Reserved): MullError => {
  const least =
    reserved.refused === "tokens"
      ? inTokens(input.tokens + output.least)
      : inDollars(input.cost + output.least * output.costEach);
  return new MullError(
    `${describeSpent(limits, reserved)}, and the next step may take ${least} or more: too little is left for it.`,
    {
      category: "quota",
      status: 429,
      code: "budget",
      fix: "Wait for answers under way, choose a lower level or a cheaper model, or ask again tomorrow.",
    },
  );
};
