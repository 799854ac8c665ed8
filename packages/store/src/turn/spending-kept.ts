/** What turns of deleted conversations took is kept for so long: limits look back a day, people a month. */
export const spendingKeptMs: number = 31 * 24 * 60 * 60_000;
