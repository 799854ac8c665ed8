import type { Level } from "mull";

/** The next stop up or down; it does not go round at the ends. */
export function turnDial(levels: readonly Level[], level: Level, by: number): Level {
  const next = levels.indexOf(level) + by;
  return levels[Math.min(levels.length - 1, Math.max(0, next))] ?? level;
}
