/** What the list shows of a conversation. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
}

export interface DayGroup<T extends Listed> {
  readonly name: string;
  readonly conversations: readonly T[];
}

const dayOf = (time: number): number => {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
};

const dayMs = 24 * 60 * 60 * 1000;

function nameDay(time: number, now: number): string {
  const days = Math.round((dayOf(now) - dayOf(time)) / dayMs);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "This week";
  return new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric" }).format(time);
}

/** Latest change first, under the day it was on. */
export function groupByDay<T extends Listed>(
  conversations: readonly T[],
  now: number,
): readonly DayGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const each of conversations.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    const name = nameDay(each.updatedAt, now);
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups].map(([name, list]) => ({ name, conversations: list }));
}
