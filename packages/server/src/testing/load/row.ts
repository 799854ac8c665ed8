import type { Stage } from "./children.ts";

/** One line of the table. */
export interface Line {
  readonly measure: string;
  readonly mull: string;
  /** What it is compared with, in the same run. */
  readonly beside: string;
  /** Median of the rounds [least, most]. */
  readonly ratio: string;
  readonly target: string;
  /** Left out if there is no target. */
  readonly holds?: boolean;
}

/** Rows that are measured together. */
export interface Row {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<readonly Line[]>;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.at(Math.min(sorted.length - 1, Math.floor(sorted.length * q))) ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The ratios of each round. */
export const ratios = (own: readonly number[], other: readonly number[]): readonly number[] =>
  own.map((value, round) => value / other.at(round)!);

export const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(2)} [${Math.min(...values).toFixed(2)}, ${Math.max(...values).toFixed(2)}]`;

/** In a different order every time, so that disturbances hit all servers alike. */
export const shuffled = <T>(values: readonly T[]): readonly T[] =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);

export const count = (value: number): string => Math.round(value).toLocaleString("en-US");
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

export const pause = (forMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, forMs);
  });
