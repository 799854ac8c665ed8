import type { DailySpending, SpendingMethods } from "../spending-methods.ts";
import { spentBy, type MemoryContext, type SpentTurn } from "./data.ts";

export function memorySpending({ data }: MemoryContext): SpendingMethods {
  const listTurns = (userId: string, since: number): readonly SpentTurn[] =>
    [...[...data.turns.values()].flatMap(spentBy), ...data.deletedTurns].filter(
      (turn) => turn.userId === userId && turn.startedAt >= since,
    );
  return {
    sumSpending: async (userId, since) => {
      const counted = listTurns(userId, since);
      return {
        turns: counted.length,
        tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
        cost: counted.reduce((sum, { cost }) => sum + cost, 0),
      };
    },
    listSpending: async (userId, since, minutesEast) =>
      addUp(listTurns(userId, since), minutesEast).toSorted(
        (one, other) => compare(other.day, one.day) || other.cost - one.cost,
      ),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function addUp(turns: readonly SpentTurn[], minutesEast: number): readonly DailySpending[] {
  const sums = new Map<string, DailySpending>();
  for (const { startedAt, tokens, cost, thinking = 0, model, level } of turns) {
    const day = new Date(startedAt + minutesEast * 60_000).toISOString().slice(0, 10);
    const key = JSON.stringify([day, model, level]);
    const before = sums.get(key) ?? { turns: 0, tokens: 0, thinking: 0, cost: 0 };
    sums.set(key, {
      day,
      ...(model !== undefined && { model }),
      ...(level !== undefined && { level }),
      turns: before.turns + 1,
      tokens: before.tokens + tokens,
      thinking: before.thinking + thinking,
      cost: before.cost + cost,
    });
  }
  return [...sums.values()];
}
