import type { Spending, Store } from "@mull/store";
import { spent as spentAll } from "../http/refusals.ts";
import type { Limits } from "../parts.ts";

/** What users took in the last 24 hours. */
export interface SpendingBook {
  readonly of: (userId: string) => Promise<Spending>;
  /** A turn of the user ended here. */
  readonly add: (userId: string, tokens: number, cost: number) => void;
}

export interface SpendingOptions {
  readonly store: () => Promise<Store>;
  readonly now: () => number;
  /** Users held at most; who was summed first goes first. */
  readonly users?: number;
}

const dayMs = 24 * 60 * 60_000;
/** What other processes took is known this late, and what is older than a day is forgotten this late. */
const sumEveryMs = 60_000;

/** Sums in the store once in a while, not for every turn, and adds what ends here meanwhile. */
export function createSpendingBook({ store, now, users = 10_000 }: SpendingOptions): SpendingBook {
  const known = new Map<string, { readonly at: number; readonly spent: Spending }>();
  return {
    async of(userId) {
      const at = now();
      const entry = known.get(userId);
      if (entry !== undefined && Math.abs(at - entry.at) < sumEveryMs) return entry.spent;
      const spent = await (await store()).sumSpending(userId, at - dayMs);
      known.delete(userId);
      const [oldest] = known.keys();
      if (known.size >= users && oldest !== undefined) known.delete(oldest);
      known.set(userId, { at, spent });
      return spent;
    },
    add(userId, tokens, cost) {
      const entry = known.get(userId);
      if (entry === undefined) return;
      const { spent } = entry;
      known.set(userId, {
        at: entry.at,
        spent: { turns: spent.turns + 1, tokens: spent.tokens + tokens, cost: spent.cost + cost },
      });
    },
  };
}

/** Refuses users who took as much as they may. */
export async function checkSpending(
  book: SpendingBook,
  { tokensPerDay, dollarsPerDay }: Limits,
  userId: string,
): Promise<void> {
  if (tokensPerDay <= 0 && dollarsPerDay <= 0) return;
  const { tokens, cost } = await book.of(userId);
  if (tokensPerDay > 0 && tokens >= tokensPerDay) {
    throw spentAll(`You took ${tokens} tokens in 24 hours, the limit here.`, dayMs / 24);
  }
  if (dollarsPerDay > 0 && cost >= dollarsPerDay) {
    throw spentAll(`You spent $${cost.toFixed(2)} in 24 hours, the limit here.`, dayMs / 24);
  }
}
