/** The positions of the thinking dial, weakest first. `auto` sends nothing and leaves the choice to the service. */
export const levels = ["auto", "none", "min", "low", "med", "high", "max"] as const;
/** A position of the thinking dial. */
export type Level = (typeof levels)[number];
