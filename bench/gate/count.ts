/** What was counted, without a clock, and the most it may be. */
export interface Count {
  readonly what: string;
  readonly most: number;
  readonly counted: number;
}

/** Not a number holds nothing. */
export const isWithin = ({ most, counted }: Count): boolean => counted <= most;

/** By what power of the size the work grows. */
export const exponentOf = (small: number, large: number, factor: number): number =>
  Math.log(large / small) / Math.log(factor);

export const linear = 1.05;
