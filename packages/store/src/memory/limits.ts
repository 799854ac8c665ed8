import { decide, plannedFor } from "../limits/decide.ts";
import { hourMs, spentHours, type LimitMethods, type Taken } from "../limits/methods.ts";
import type { MemoryContext, ReservationRow } from "./data.ts";

const nothing: Taken = { tokens: 0, cost: 0 };
const dayMs = spentHours * hourMs;

/** Never below zero: a turn that crashed may not know what its steps took. */
const rest = (all: Taken, settled: Taken): Taken => ({
  tokens: Math.max(0, all.tokens - settled.tokens),
  cost: Math.max(0, all.cost - settled.cost),
});

const add = (a: Taken, b: Taken): Taken => ({
  tokens: a.tokens + b.tokens,
  cost: a.cost + b.cost,
});

export function memoryLimits({ data, now }: MemoryContext): LimitMethods {
  const { reservations, buckets } = data;
  const hour = (): number => Math.floor(now() / hourMs);

  const spend = (userId: string, took: Taken): void => {
    const hours = data.spentHours.get(userId) ?? new Map<number, Taken>();
    hours.set(hour(), add(hours.get(hour()) ?? nothing, took));
    data.spentHours.set(userId, hours);
  };
  const spentBy = (userId: string): Taken => {
    const since = hour() - spentHours;
    const hours = [...(data.spentHours.get(userId) ?? [])];
    return hours.reduce((sum, [at, took]) => (at >= since ? add(sum, took) : sum), nothing);
  };
  const othersOf = (userId: string, turnId: string): readonly ReservationRow[] =>
    [...reservations].flatMap(([id, row]) => {
      const isOver = row.until <= now() || data.turns.get(id)?.value.state === "interrupted";
      return row.userId === userId && id !== turnId && !isOver ? [row] : [];
    });

  return {
    async reserve(given) {
      const { userId, turnId, took, ms } = given;
      const known = reservations.get(turnId);
      spend(userId, rest(took, known?.took ?? nothing));
      const others = othersOf(userId, turnId);
      const held = others.map((row) => row.held).reduce((sum, each) => add(sum, each), nothing);
      const reserved = decide(given, { turns: others.length, spent: spentBy(userId), held });
      const isRefused = reserved.refused !== undefined;
      if (isRefused && known === undefined) return reserved;
      const room = isRefused ? nothing : plannedFor(given, reserved);
      reservations.set(turnId, { userId, took, held: room, until: now() + ms });
      return reserved;
    },

    async settle(userId, turnId, took) {
      const known = reservations.get(turnId);
      if (known?.userId !== userId) return;
      reservations.delete(turnId);
      spend(userId, rest(took, known.took));
    },

    async takeFrom({ key, size, refillMs }, most = 1) {
      const at = now();
      const known = buckets.get(key);
      const level =
        known === undefined
          ? size
          : Math.min(size, known.level + Math.max(0, at - known.at) / refillMs);
      const taken = Math.floor(Math.min(most, level));
      const left = level - taken;
      buckets.set(key, { level: left, at, fullAt: at + (size - left) * refillMs });
      return { taken, waitMs: taken > 0 ? 0 : Math.ceil((1 - level) * refillMs) };
    },

    async giveBack({ key, size }, count = 1) {
      const known = buckets.get(key);
      if (known === undefined) return;
      buckets.set(key, { ...known, level: Math.min(size, known.level + count) });
    },

    async refill(key) {
      buckets.delete(key);
    },

    async forgetLimits() {
      for (const [key, { fullAt }] of buckets) if (fullAt <= now()) buckets.delete(key);
      for (const [id, { until }] of reservations)
        if (until <= now() - dayMs) reservations.delete(id);
      for (const hours of data.spentHours.values())
        for (const at of hours.keys()) if (at < hour() - spentHours) hours.delete(at);
    },
  };
}
