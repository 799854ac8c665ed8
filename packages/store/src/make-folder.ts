import { lstat, mkdir, stat } from "node:fs/promises";
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
  for (;;) {
    try {
      await mkdir(path, { mode: 0o700 });
      return true;
    } catch (error) {
      if (hasCode(error, "ENOENT")) return false;
      const found = await lookAt(path);
      if (found === "folder") return true;
      // Of several that hold a place in turn, one may have taken the empty folder away in between.
      if (!hasCode(error, "EEXIST") || found === "other") throw error;
    }
  }
}

async function lookAt(path: string): Promise<"folder" | "other" | "nothing"> {
  try {
    const found = await lstat(path);
    // A link is what it leads to; one that leads nowhere is still there.
    const end = found.isSymbolicLink() ? await stat(path).catch(() => found) : found;
    return end.isDirectory() ? "folder" : "other";
  } catch {
    return "nothing";
  }
}
