import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and its parents, readable by the owner only. Node's own recursive `mkdir` never
 * returns if an existing folder calls every new entry missing, as `/proc` does.
 */
export function makeFolder(path: string): void {
  if (isMade(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  if (!isMade(path)) throw new Error(`cannot make a folder at ${path}`);
}

/** `false` when the folder above it is missing. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return true;
    throw error;
  }
}
