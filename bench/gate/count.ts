/** What was counted, without a clock, and the most it may be. */
export interface Count {
  readonly what: string;
  readonly most: number;
  readonly counted: number;
}

/** `NaN` is never within the limit. */
export const isWithin = ({ most, counted }: Count): boolean => counted <= most;

/** The exponent by which the work grows with the size. */
export const exponentOf = (small: number, large: number, factor: number): number =>
  Math.log(large / small) / Math.log(factor);

export const linear = 1.05;
