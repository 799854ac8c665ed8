import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, storeError } from "./store-error.ts";

/**
 * Makes a folder for its owner alone, and those above it. Node's own recursive `mkdir` never
 * returns where a folder that is there calls every new entry missing, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  if (await isMade(path)) return;
  throw storeError("unavailable", `No folder can be made at ${path}: the place takes none.`);
}

/** `false` when the folder above it is missing. */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    if (await isFolder(path)) return true;
    throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};
