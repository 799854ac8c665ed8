/** What a user's turns took in total. */
export interface Spending {
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
}

/**
 * What a user took on one day, by model and level. Turns of a deleted conversation have neither.
 */
export interface DailySpending extends Spending {
  /** For example `2026-11-19`, in the person's time zone. */
  readonly day: string;
  readonly model?: string;
  readonly level?: string;
  /** Thinking tokens, as far as services report them. */
  readonly thinking: number;
}

/** The part of a store that sums up spending. */
export interface SpendingMethods {
  /** What turns started since then took. Includes those of deleted conversations for a month. */
  sumSpending(userId: string, since: number): Promise<Spending>;
  /** The same by day, model and level, latest day first. Days begin `minutesEast` of Greenwich. */
  listSpending(
    userId: string,
    since: number,
    minutesEast: number,
  ): Promise<readonly DailySpending[]>;
}
