/** What turns took together on one day, by model and level. */
export interface SpendingRow {
  readonly day: string;
  /** Absent: the conversation was deleted. */
  readonly model?: string;
  readonly level?: string;
  readonly turns: number;
  readonly tokens: number;
  readonly thinking: number;
  readonly cost: number;
}

export const spendingGroups = ["day", "model", "level"] as const;
export type SpendingGroup = (typeof spendingGroups)[number];

export interface SpendingSum extends Omit<SpendingRow, "day" | "model" | "level"> {
  readonly name: string;
}

/** One sum a day, model or level: days from the latest, others from the dearest. */
export function sumSpending(
  rows: readonly SpendingRow[],
  group: SpendingGroup,
): readonly SpendingSum[] {
  const sums = new Map<string, SpendingSum>();
  for (const row of rows) {
    const name = nameOf(row, group);
    const before = sums.get(name) ?? { name, turns: 0, tokens: 0, thinking: 0, cost: 0 };
    sums.set(name, {
      name,
      turns: before.turns + row.turns,
      tokens: before.tokens + row.tokens,
      thinking: before.thinking + row.thinking,
      cost: before.cost + row.cost,
    });
  }
  return [...sums.values()].toSorted((one, other) =>
    group === "day" ? other.name.localeCompare(one.name) : other.cost - one.cost,
  );
}

function nameOf(row: SpendingRow, group: SpendingGroup): string {
  const name = row[group];
  if (name === undefined) return "deleted conversations";
  return group === "model" ? name.slice(name.indexOf(":") + 1) : name;
}
