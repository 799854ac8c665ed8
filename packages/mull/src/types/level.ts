/** The positions of the thinking dial, weakest first. `auto` sends nothing and leaves the choice to the service. */
export const levels = ["auto", "none", "min", "low", "med", "high", "max"] as const;
/** A position of the thinking dial. */
export type Level = (typeof levels)[number];

/** Words of the vendors that are accepted for our levels. */
export const levelSpellings: Readonly<Record<string, Level>> = {
  off: "none",
  minimal: "min",
  medium: "med",
  xhigh: "max",
};

export const isLevel = (value: unknown): value is Level =>
  (levels as readonly unknown[]).includes(value);
