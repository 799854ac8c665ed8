import type { LimitRefusal, Reservation, Reserved, Taken } from "./methods.ts";

/** What the user's other turns take. */
export interface Others {
  readonly turns: number;
  /** In the last 24 hours, including the settled steps of every turn. */
  readonly spent: Taken;
  /** Held for steps under way. */
  readonly held: Taken;
}

/** How many tokens of an answer fit, or which limit leaves too few. */
export function decide({ most, input, output }: Reservation, others: Others): Reserved {
  const { turns, spent, held } = others;
  const room = (limit: number, name: keyof Taken): number =>
    limit > 0 ? limit - spent[name] - held[name] - input[name] : Infinity;
  const rooms: readonly (readonly [LimitRefusal, number])[] = [
    ["turns", most.turns > 0 && turns >= most.turns ? -Infinity : Infinity],
    ["tokens", room(most.tokens, "tokens")],
    ["cost", perToken(room(most.cost, "cost"), output.costEach)],
  ];
  const [refused, least] = rooms.reduce((one, other) => (other[1] < one[1] ? other : one));
  const granted = Math.floor(Math.min(output.wanted, least));
  return granted >= output.least && least > 0
    ? { granted, spent, held }
    : { granted: 0, refused, spent, held };
}

/** Even a free answer needs something left. */
const perToken = (room: number, costEach: number): number =>
  costEach > 0 ? room / costEach : room > 0 ? Infinity : room;

/** The most a step may take once it has a reservation. */
export const plannedFor = ({ input, output }: Reservation, { granted }: Reserved): Taken => ({
  tokens: input.tokens + granted,
  cost: input.cost + granted * output.costEach,
});
