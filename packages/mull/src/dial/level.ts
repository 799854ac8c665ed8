import { invalidArgument } from "../types/error.ts";
import type { Level } from "../types/level.ts";
import { isLevel, levels, levelSpellings } from "../types/level.ts";

const readLevel = (word: string): Level | undefined => {
  if (isLevel(word)) return word;
  return Object.hasOwn(levelSpellings, word) ? levelSpellings[word] : undefined;
};

/** A position of the dial out of what a person or a program wrote, in any case. */
export const parseLevel = (value: unknown): Level => {
  const level = typeof value === "string" ? readLevel(value.trim().toLowerCase()) : undefined;
  if (level === undefined) throw invalidArgument("level", value, levels);
  return level;
};

/** Whether `parseLevel` would take it. */
export const isLevelWord = (word: string): boolean => readLevel(word.toLowerCase()) !== undefined;
