import type { HistoryChange } from "../types/plan.ts";

/** What a compilation did, in the order it was done. */
export interface ChangeLog {
  readonly changes: HistoryChange[];
  readonly withheld: HistoryChange[];
}

export const createChangeLog = (): ChangeLog => ({ changes: [], withheld: [] });
