import { invalidArgument } from "../types/error.ts";
import type { Level } from "../types/level.ts";
import { isLevel, levels, levelSpellings } from "../types/level.ts";

const readLevel = (word: string): Level | undefined => {
  if (isLevel(word)) return word;
  return Object.hasOwn(levelSpellings, word) ? levelSpellings[word] : undefined;
};

/** Reads a level written by a person or a program, in upper or lower case. Refuses any other word. */
export const parseLevel = (value: unknown): Level => {
  const level = typeof value === "string" ? readLevel(value.trim().toLowerCase()) : undefined;
  if (level === undefined) throw invalidArgument("level", value, levels);
  return level;
};

/** Whether `parseLevel` accepts a word. */
export const isLevelWord = (word: string): boolean => readLevel(word.toLowerCase()) !== undefined;
