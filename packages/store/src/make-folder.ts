import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { MullError } from "mull";
import { hasCode, storeError } from "./store-error.ts";

/**
 * Makes a folder, and its parents, readable by the owner only. Node's own recursive `mkdir` never
 * returns if an existing folder calls every new entry missing, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  if (await isMade(path)) return;
  throw storeError(
    "unavailable",
    `Cannot make a folder at ${path}: there can be no folder there. Choose another place.`,
  );
}

/** A service often runs as a user that may not write to the folder it starts in. */
const isForbidden = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].some((code) => hasCode(error, code));

const forbidden = (path: string, cause: unknown): MullError =>
  storeError(
    "broken",
    `Cannot make the folder ${path}: you have no permission to write there. Choose another folder, or change its permissions.`,
    cause,
  );

const inTheWay = (path: string, cause: unknown): MullError =>
  storeError(
    "broken",
    `Cannot make the folder ${path}: a file is in its place. Choose another.`,
    cause,
  );

/** `false` if the parent folder is missing. */
async function isMade(path: string): Promise<boolean> {
  for (;;) {
    try {
      await mkdir(path, { mode: 0o700 });
      return true;
    } catch (error) {
      if (hasCode(error, "ENOENT")) return false;
      const found = await lookAt(path);
      if (found === "folder") return true;
      if (isForbidden(error)) throw forbidden(path, error);
      // Another claimant may have removed the empty folder in between.
      if (!hasCode(error, "EEXIST")) throw error;
      if (found === "other") throw inTheWay(path, error);
    }
  }
}

async function lookAt(path: string): Promise<"folder" | "other" | "nothing"> {
  try {
    const found = await lstat(path);
    // A link counts as what it leads to; a dangling link still exists.
    const end = found.isSymbolicLink() ? await stat(path).catch(() => found) : found;
    return end.isDirectory() ? "folder" : "other";
  } catch {
    return "nothing";
  }
}
