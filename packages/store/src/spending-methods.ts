/** What a user's turns took together. */
export interface Spending {
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
}

/** What a user took on one day, by model and level. The turns of a deleted conversation have neither of the two. */
export interface DailySpending extends Spending {
  /** E.g. `2026-11-19`, where the person is. */
  readonly day: string;
  readonly model?: string;
  readonly level?: string;
  /** Thinking tokens, as far as services told. */
  readonly thinking: number;
}

/** The part of a store that adds up what users spent. */
export interface SpendingMethods {
  /** What turns begun since then took, those of deleted conversations included for a month. */
  sumSpending(userId: string, since: number): Promise<Spending>;
  /** The same by day, model and level, latest day first. Days begin `minutesEast` of Greenwich. */
  listSpending(
    userId: string,
    since: number,
    minutesEast: number,
  ): Promise<readonly DailySpending[]>;
}
