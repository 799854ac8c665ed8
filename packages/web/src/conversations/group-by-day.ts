/** A conversation as the list shows it. */
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

/** Pinned ones first, in the order of their ids; the others by day. */
export function groupConversations<T extends Listed>(
  conversations: readonly T[],
  pinned: readonly string[],
  now: number,
): readonly DayGroup<T>[] {
  const byId = new Map(conversations.map((each) => [each.id, each]));
  const atTop = pinned.flatMap((id) => byId.get(id) ?? []);
  const others = conversations.filter(({ id }) => !pinned.includes(id));
  const top = atTop.length === 0 ? [] : [{ name: "Pinned", conversations: atTop }];
  return [...top, ...groupByDay(others, now)];
}
