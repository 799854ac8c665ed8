import { invalidArgument } from "../types/error.ts";
import { levels, type Level } from "../types/level.ts";

/** Our levels, and the vendors' words for them. */
const spellings: ReadonlyMap<string, Level> = new Map<string, Level>([
  ...levels.map((level) => [level, level] as const),
  ["off", "none"],
  ["minimal", "min"],
  ["medium", "med"],
  ["xhigh", "max"],
]);

/** Reads a level written by a person or a program, in upper or lower case. Refuses any other word. */
export const parseLevel = (value: unknown): Level => {
  const level = typeof value === "string" ? spellings.get(value.trim().toLowerCase()) : undefined;
  if (level === undefined) throw invalidArgument("level", value, levels);
  return level;
};

/** Whether `parseLevel` accepts a word. */
export const isLevelWord = (word: string): boolean => spellings.has(word.toLowerCase());
